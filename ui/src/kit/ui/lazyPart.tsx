import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { NotFetched } from "./Fetched";

/**
 * A dialog or panel whose code is fetched when it is first opened. When the code does not arrive, the page stays and the reader can try
 * again: unlike `lazy`, a new attempt fetches it anew.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const begin = () => lazy(async () => ({ default: await load() }));
  let Part = begin();
  const onFailure = () => {
    Part = begin();
  };
  return (props) => (
    <PartBoundary onFailure={onFailure}>
      {() => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      )}
    </PartBoundary>
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
