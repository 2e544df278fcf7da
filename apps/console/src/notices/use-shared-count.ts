import { useCallback, useEffect, useRef } from 'react';
import { openTabChannel, type TabMessages } from '../services/tab-channel.js';

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
  const channel = useRef<TabMessages<CountMessage>>(undefined);
  const last = useRef(0);
  useEffect(() => {
    const opened = openTabChannel<CountMessage>(name, (message) => {
      if ('request' in message) {
        if (isSource) opened.post({ count: last.current });
      } else if (!isSource) onCount(message.count);
    });
    channel.current = opened;
    opened.post(isSource ? { count: last.current } : { request: true });
    return () => {
      channel.current = undefined;
      opened.close();
    };
  }, [name, isSource, onCount]);
  return useCallback(
    (count: number) => {
      last.current = count;
      onCount(count);
      channel.current?.post({ count });
    },
    [onCount],
  );
}
