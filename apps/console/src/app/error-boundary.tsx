import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../parts/notes.js';
import { texts } from '../texts/app.js';

interface State {
  readonly error: unknown;
}

/** Shows the error of a view that failed or could not be loaded; the rest of the page keeps working. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override readonly state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <ErrorNote error={error} retry={() => location.reload()} retryLabel={texts.reload} />;
  }
}
