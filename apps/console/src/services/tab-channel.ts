/** To the other tabs of this origin in the browser. */
export interface TabMessages<T> {
  readonly post: (message: T) => void;
  readonly close: () => void;
}

/** What tabs of one version send each other under a name; `onMessage` gets what others post. */
export function openTabChannel<T>(name: string, onMessage: (message: T) => void): TabMessages<T> {
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<T>) => onMessage(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has its own origin only
  return { post: (message) => channel.postMessage(message), close: () => channel.close() };
}
