import { newRecord, type Aspect, type PresenceRecord } from '../presence-store/presence-record.js';

/** What one person may be to another (web-interface.md, section 5). `Unknown` is the default of the server. */
export const RELATIONSHIP_LEVELS = [
  'Unknown',
  'External',
  'Colleagues',
  'Workgroup',
  'FriendsAndFamily',
  'Blocked',
] as const;
export type RelationshipLevel = (typeof RELATIONSHIP_LEVELS)[number];

/** Everyone in the directory works for the same organisation. */
export const DEFAULT_LEVEL: RelationshipLevel = 'Colleagues';

const OF_EXTERNAL: readonly Aspect[] = ['presence', 'modalities'];

/** Whether a person of this level sees this aspect of a presence. */
export function isVisible(aspect: Aspect, level: RelationshipLevel): boolean {
  return level !== 'Blocked' && (level !== 'External' || OF_EXTERNAL.includes(aspect));
}

/** The presence as a person of this level sees it; to a blocked person, its owner looks signed out. */
export function recordFor(record: PresenceRecord, level: RelationshipLevel): PresenceRecord {
  if (level === 'Blocked') return newRecord(record);
  return {
    ...record,
    note: isVisible('note', level) ? record.note : null,
    location: isVisible('location', level) ? record.location : null,
  };
}
