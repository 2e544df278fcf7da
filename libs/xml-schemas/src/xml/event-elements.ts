import type { RecordEventKind } from '../model/record.js';

/** The body elements of all versions; `StartOrUpdate` is 1.0. */
export const ELEMENT_OF_KIND: Readonly<Record<RecordEventKind, string>> = {
  invite: 'Invite',
  lrsInvite: 'LRSInvite',
  startOrUpdate: 'StartOrUpdate',
  start: 'Start',
  update: 'Update',
  ended: 'Ended',
  bye: 'Bye',
  error: 'Error',
  qualityUpdate: 'QualityUpdate',
  inCallQuality: 'InCallQuality',
};

export const KIND_OF_ELEMENT: ReadonlyMap<string, RecordEventKind> = new Map(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table are the kinds; Object.entries forgets that
  Object.entries(ELEMENT_OF_KIND).map(([kind, element]) => [element, kind as RecordEventKind]),
);
