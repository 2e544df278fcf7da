export type ConnectionKind = 'wired' | 'wifi' | 'mobile' | 'tunnel' | 'other';

const KINDS: ReadonlyMap<string, ConnectionKind> = new Map([
  ['ethernet', 'wired'],
  ['wired', 'wired'],
  ['wifi', 'wifi'],
  ['mobilebb', 'mobile'],
  ['tunnel', 'tunnel'],
]);

/** One word for the ways in which senders write `Connection`; undefined where they do not. */
export function connectionKind(written: string | undefined): ConnectionKind | undefined {
  return written === undefined ? undefined : (KINDS.get(written.toLowerCase()) ?? 'other');
}
