import { useEffect, useState, type ComponentType } from 'react';

interface LatePart<P> {
  /** Undefined until its files are loaded. */
  readonly part?: ComponentType<P>;
  readonly hasFailed: boolean;
}

/**
 * A part of a view whose files are loaded after the view, as soon as it is wanted. Without `lazy` and Suspense, which would hide
 * what is already shown. `load` is the same function each time.
 */
export function useLatePart<P>(load: () => Promise<ComponentType<P>>, isWanted = true): LatePart<P> {
  const [loaded, setLoaded] = useState<LatePart<P>>({ hasFailed: false });
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    load().then(
      (part) => isGone || setLoaded({ part, hasFailed: false }),
      () => isGone || setLoaded({ hasFailed: true }),
    );
    return () => {
      isGone = true;
    };
  }, [load, isWanted]);
  return loaded;
}
