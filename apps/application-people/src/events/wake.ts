import type { StoredChannel } from './channel-store.js';

/** What one replica sends another about a poll that the other holds. */
export interface Wake {
  readonly token: string;
  /** Null when the channel does not exist any more. */
  readonly stored: StoredChannel | null;
}

/** The replica that holds a poll. */
export function replicaOf(token: string): string {
  return token.slice(0, token.indexOf('.'));
}

export function field(message: unknown, name: string): unknown {
  return typeof message === 'object' && message !== null ? new Map(Object.entries(message)).get(name) : undefined;
}

/** Only replicas of this service publish on this subject; another version may send another form. */
export function isWake(message: unknown): message is Wake {
  const stored = field(message, 'stored');
  return (
    typeof field(message, 'token') === 'string' &&
    (stored === null || (typeof field(stored, 'revision') === 'number' && typeof field(stored, 'channel') === 'object'))
  );
}
