import { texts } from '../texts/search.js';

/** Optional columns; parties and time are always shown. */
export const COLUMNS = [
  { column: 'verdict', title: texts.columns.verdict },
  { column: 'state', title: texts.columns.state },
  { column: 'trouble', title: texts.columns.trouble },
  { column: 'media', title: texts.columns.media },
  { column: 'frontEnds', title: texts.columns.frontEnds },
  { column: 'lasted', title: texts.columns.lasted },
  { column: 'ended', title: texts.columns.ended },
  { column: 'mos', title: texts.columns.mos },
  { column: 'loss', title: texts.columns.loss },
  { column: 'jitter', title: texts.columns.jitter },
  { column: 'roundTrip', title: texts.columns.roundTrip },
  { column: 'ringTime', title: texts.columns.ringTime },
  { column: 'setupTime', title: texts.columns.setupTime },
  { column: 'postDialDelay', title: texts.columns.postDialDelay },
  { column: 'linkSpeed', title: texts.columns.linkSpeed },
  { column: 'codecs', title: texts.columns.codecs },
  { column: 'devices', title: texts.columns.devices },
  { column: 'callId', title: texts.columns.callId },
  { column: 'conversationId', title: texts.columns.conversationId },
  { column: 'addresses', title: texts.columns.addresses },
] as const;

export type Column = (typeof COLUMNS)[number]['column'];

/** So many that a window of 1280 pixels shows all of them. */
const USUAL: readonly Column[] = ['verdict', 'state', 'trouble', 'media', 'lasted'];
const KEY = 'ringdown.columns';

export function storedColumns(storage: Pick<Storage, 'getItem'>): readonly Column[] {
  const stored = storage.getItem(KEY);
  return stored === null ? USUAL : columnsWhere((column) => stored.split(',').includes(column));
}

export function storeColumns(storage: Pick<Storage, 'setItem'>, columns: readonly Column[]): void {
  storage.setItem(KEY, columns.join(','));
}

export function columnsWhere(isChosen: (column: Column) => boolean): readonly Column[] {
  return COLUMNS.map(({ column }) => column).filter(isChosen);
}
