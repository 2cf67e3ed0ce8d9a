import { Component, type ReactNode } from "react";
import { Button } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";

/** Where a page broke, or its code could not be fetched (after an update of the server, most often). */
export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
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
