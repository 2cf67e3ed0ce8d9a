import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { NotFetched } from "./Fetched";
import { toast } from "./toast";

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * A part of a page whose code is fetched when it is first shown. When the code does not arrive, the page stays and the reader can try
 * again: unlike `lazy`, a new attempt fetches it anew. `Suspense` around it shows something meanwhile.
 */
export function lazyWithin<Props extends object>(
  load: Load<Props>,
  onFailure?: (props: Props) => void,
): ComponentType<Props> {
  const begin = () => lazy(async () => ({ default: await load() }));
  let Part = begin();
  const failed = (props: Props) => {
    Part = begin();
    onFailure?.(props);
  };
  return (props) => <PartBoundary onFailure={() => failed(props)}>{() => <Part {...props} />}</PartBoundary>;
}

/** The same for a panel, with nothing in its place meanwhile. */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  onFailure?: (props: Props) => void,
): ComponentType<Props> {
  const Part = lazyWithin(load, onFailure);
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
}

/** The same for a dialog, whose place may have no room for an alert: it closes, so that the button that opened it tries again. */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> {
  return lazyPart(load, ({ onClose }) => {
    toast({ title: "This could not be opened", description: "Please try again.", destructive: true });
    onClose();
  });
}

interface PartBoundaryProps {
  onFailure: () => void;
  children: () => ReactNode;
}

class PartBoundary extends Component<PartBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidCatch() {
    this.props.onFailure();
  }

  override render() {
    if (!this.state.isBroken) return this.props.children();
    return <NotFetched onRetry={() => this.setState({ isBroken: false })}>This could not be opened.</NotFetched>;
  }
}
