import { useEffect, useState } from 'react';

/**
 * Whether this tab is the one of the browser that does this: the first one; the next when it is closed. Browsers allow few
 * connections to one server, and each tab has its own event channel.
 */
export function useLeadingTab(name: string): boolean {
  const [leads, setLeads] = useState(false);
  useEffect(() => {
    const waiting = new AbortController();
    let release = (): void => undefined;
    const hold = (): Promise<void> => {
      setLeads(true);
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    navigator.locks.request(name, { signal: waiting.signal }, hold).catch((error: unknown) => {
      if (!waiting.signal.aborted) throw error;
    });
    return () => {
      waiting.abort();
      release();
    };
  }, [name]);
  return leads;
}
