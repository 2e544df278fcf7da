export type ConnectionKind = 'wired' | 'wifi' | 'mobile' | 'tunnel' | 'other';

const KINDS: ReadonlyMap<string, ConnectionKind> = new Map([
  ['ethernet', 'wired'],
  ['wired', 'wired'],
  ['wifi', 'wifi'],
  ['mobilebb', 'mobile'],
  ['tunnel', 'tunnel'],
]);

/** One word for each of the spellings that senders use in `Connection`; undefined for others. */
export function connectionKind(written: string | undefined): ConnectionKind | undefined {
  return written === undefined ? undefined : (KINDS.get(written.toLowerCase()) ?? 'other');
}
