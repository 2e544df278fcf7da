import type { CallMessage, Endpoint, MessageAddress } from '../api/answers.js';
import { shownSipAddress } from '../parts/format.js';
import { texts } from '../texts/ladder.js';

/** One participant: an address that messages were sent from or to, or an endpoint that only records name. */
export interface LadderColumn {
  /** The address, or the user if records give no address. */
  readonly title: string;
  /** Whom records name at this address. */
  readonly name: string;
}

/** More columns would be too narrow to read; the last one stands for the others. */
const MOST_COLUMNS = 24;
const OTHERS: LadderColumn = { title: texts.otherAddresses, name: '' };

/**
 * The columns of a call, in the order in which they appear. An address is one column, whatever its ports, unless its ports
 * send to each other, as several servers on one machine do.
 */
export class Columns {
  private readonly list: LadderColumn[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly namesToColumns = new Map<string, number>();
  private readonly shared: ReadonlySet<string>;

  constructor(messages: readonly CallMessage[]) {
    const alone = messages.filter(({ source, destination }) => source.ip === destination.ip);
    this.shared = new Set(alone.map(({ source }) => source.ip));
  }

  get all(): readonly LadderColumn[] {
    return this.list;
  }

  ofAddress({ ip, port }: MessageAddress): number {
    const title = this.shared.has(ip) ? (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`) : ip;
    return this.numberOf(title, title, '');
  }

  /** Undefined if the endpoint has neither a user nor an address. */
  ofEndpoint(endpoint: Endpoint | undefined): number | undefined {
    const name = shownSipAddress(endpoint?.uri);
    const address = [endpoint?.ip, endpoint?.reflexiveIp, endpoint?.hostIp].find((ip) => this.numbers.has(ip ?? ''));
    // The same user may have several addresses; the first one that sends messages is its column.
    const known = this.namesToColumns.get(name) ?? this.numbers.get(address ?? '');
    const title = name === '' ? endpoint?.ip : name;
    if (title === undefined || title === '') return undefined;
    const number = known ?? this.numberOf(title, endpoint?.ip ?? title, name);
    if (name !== '') this.describe(number, name);
    return number;
  }

  private describe(number: number, name: string): void {
    if (!this.namesToColumns.has(name)) this.namesToColumns.set(name, number);
    const column = this.list[number];
    if (column !== undefined && column.name === '' && column !== OTHERS) this.list[number] = { ...column, name };
  }

  private numberOf(key: string, title: string, name: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.list.length === MOST_COLUMNS - 1) this.list.push(OTHERS);
    const number = this.list.length < MOST_COLUMNS ? this.list.push({ title, name }) - 1 : MOST_COLUMNS - 1;
    this.numbers.set(key, number);
    return number;
  }
}
