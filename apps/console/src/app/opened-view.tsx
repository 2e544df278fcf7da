import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { LoadingNote } from '../parts/notes.js';
import type { ViewFiles } from './view-files.js';

interface Opened {
  readonly component?: ComponentType | undefined;
  readonly error?: unknown;
}

/**
 * Shows a view as soon as its files are loaded. Without `lazy` and Suspense: once React has drawn a fallback, it shows it
 * for 300 ms, even if the view is loaded earlier.
 */
export function OpenedView({ files }: { readonly files: ViewFiles }): ReactNode {
  const [{ component: View, error }, setOpened] = useState<Opened>(() => ({ component: files.component }));
  useEffect(() => {
    let isGone = false;
    const become = (opened: Opened): void => {
      if (!isGone) setOpened(opened);
    };
    files.load().then(
      (component) => become({ component }),
      (failure: unknown) => become({ error: failure }),
    );
    return () => {
      isGone = true;
    };
  }, [files]);
  if (error !== undefined) throw error;
  return View === undefined ? <LoadingNote /> : <View />;
}
