import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { NotFetched } from "./Fetched";

/**
 * A part of a page whose code is fetched when it is first shown. When the code does not arrive, the page stays and the reader can try
 * again: unlike `lazy`, a new attempt fetches it anew. `Suspense` around it shows something meanwhile.
 */
export function lazyWithin<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const begin = () => lazy(async () => ({ default: await load() }));
  let Part = begin();
  const onFailure = () => {
    Part = begin();
  };
  return (props) => <PartBoundary onFailure={onFailure}>{() => <Part {...props} />}</PartBoundary>;
}

/** The same for a dialog or panel, with nothing in its place meanwhile. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Part = lazyWithin(load);
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  );
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
