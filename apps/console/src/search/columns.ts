/** Optional columns; parties and time are always shown. */
export const COLUMNS = [
  { column: 'verdict', title: 'Verdict' },
  { column: 'state', title: 'State' },
  { column: 'trouble', title: 'Problem' },
  { column: 'media', title: 'Media' },
  { column: 'frontEnds', title: 'Front ends' },
  { column: 'lasted', title: 'Duration' },
  { column: 'mos', title: 'MOS' },
  { column: 'loss', title: 'Packet loss' },
  { column: 'jitter', title: 'Jitter' },
  { column: 'roundTrip', title: 'Round trip' },
  { column: 'ringTime', title: 'Ring time' },
  { column: 'codecs', title: 'Codecs' },
  { column: 'devices', title: 'Devices' },
  { column: 'callId', title: 'Call-ID' },
  { column: 'conversationId', title: 'Conversation' },
  { column: 'addresses', title: 'Addresses' },
] as const;

export type Column = (typeof COLUMNS)[number]['column'];

const USUAL: readonly Column[] = ['verdict', 'state', 'trouble', 'media', 'frontEnds', 'lasted'];
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
