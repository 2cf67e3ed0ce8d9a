import { Component, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";

/**
 * Shows a message when a page throws, or when its code can't be fetched, most often after an update of the server. At another address
 * it shows the page again.
 */
export function Boundary({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  return <BoundaryAt path={path}>{children}</BoundaryAt>;
}

interface BoundaryAtProps {
  path: string;
  children: ReactNode;
}

class BoundaryAt extends Component<BoundaryAtProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate(before: BoundaryAtProps) {
    if (this.state.isBroken && before.path !== this.props.path) this.setState({ isBroken: false });
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Page title="Something went wrong">
        <div className="page-head">
          <div>
            <h1 className="h1">Something went wrong</h1>
            <p className="aside-text">This page could not be shown. Loading it again usually helps.</p>
          </div>
        </div>
        <Button variant="primary" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </Page>
    );
  }
}
