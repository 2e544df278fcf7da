import { useCallback, useEffect, useRef } from 'react';

/** What the tabs of a browser send each other: the number, or a request for it. */
type CountMessage = { readonly count: number } | { readonly request: true };

/**
 * The number of one tab in all tabs of the browser: `isSource` tells it to the others, and these report it to `onCount`.
 * Returns what the source calls with a new number.
 */
export function useSharedCount(
  name: string,
  isSource: boolean,
  onCount: (count: number) => void,
): (count: number) => void {
  const channel = useRef<BroadcastChannel>(undefined);
  const last = useRef(0);
  useEffect(() => {
    const opened = new BroadcastChannel(name);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only
    const post = (message: CountMessage): void => opened.postMessage(message);
    channel.current = opened;
    opened.addEventListener('message', ({ data }: MessageEvent<CountMessage>) => {
      if ('request' in data) {
        if (isSource) post({ count: last.current });
      } else if (!isSource) onCount(data.count);
    });
    post(isSource ? { count: last.current } : { request: true });
    return () => {
      channel.current = undefined;
      opened.close();
    };
  }, [name, isSource, onCount]);
  return useCallback(
    (count: number) => {
      last.current = count;
      onCount(count);
      const message: CountMessage = { count };
      channel.current?.postMessage(message);
    },
    [onCount],
  );
}
