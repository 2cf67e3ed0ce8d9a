import { Component, type ReactNode } from "react";
import { Button } from "../kit/ui/Button";
import { Page } from "../kit/ui/Page";

/** Shown when a page throws, or when its code can't be fetched, most often after an update of the server. */
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
