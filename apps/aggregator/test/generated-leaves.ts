import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '@ringdown/xml-schemas/fields';
import * as fc from 'fast-check';

/** One element or attribute without children, and where a call has it. */
export interface Leaf {
  /** For messages. */
  readonly element: string;
  /** The name of the field; for metrics and further fields, their key. */
  readonly name: string;
  readonly value: string;
}

export interface GeneratedRecord {
  readonly callId: string;
  readonly xml: string;
  readonly leaves: readonly Leaf[];
}

export type SchemaVersion = '1.0' | 'A' | 'C' | 'D';

/** Every text of a user, and every text that could be one, contains this word. */
export const USER_WORD = /zaphod/i;

const KINDS: Readonly<Record<SchemaVersion, readonly string[]>> = {
  '1.0': ['StartOrUpdate', 'Ended', 'Error', 'QualityUpdate'],
  A: ['Invite', 'Start', 'Update', 'Ended', 'Error', 'QualityUpdate'],
  C: ['Invite', 'LRSInvite', 'Start', 'Update', 'Ended', 'Bye', 'Error', 'QualityUpdate', 'InCallQuality'],
  D: ['Invite', 'LRSInvite', 'Start', 'Update', 'Ended', 'Bye', 'Error', 'QualityUpdate', 'InCallQuality'],
};

/** Records of one kind of event each, with any of the elements that the schema allows; every value is in it once. */
export function generatedRecords(version: SchemaVersion, count: number, seed: number): readonly GeneratedRecord[] {
  const choices = fc.sample(fc.array(fc.boolean(), { minLength: 400, maxLength: 400 }), { numRuns: count, seed });
  return choices.map((chosen, index) => {
    const kind = KINDS[version][index % KINDS[version].length] ?? 'Error';
    return new RecordMaker(version, `${seed}-${version}-${index}`, chosen).record(kind);
  });
}

type Field = (typeof ENDPOINT_FIELDS)[number] | (typeof CONNECTION_FIELDS)[number];

const IP_FIELDS = new Set(['ip', 'relay', 'reflexiveIp', 'hostIp']);
const KEYS = new Set(['callId', 'timeStamp']);
const METRICS = ['PacketLossRate', 'JitterInterArrival', 'CaptureDevice', 'RenderDeviceDriver', 'ZaphodMetric'];

class RecordMaker {
  private readonly leaves: Leaf[] = [];
  private used = 0;

  constructor(
    private readonly version: SchemaVersion,
    private readonly callId: string,
    private readonly chosen: readonly boolean[],
  ) {}

  record(kind: string): GeneratedRecord {
    const header = this.header();
    const event = this.event(kind);
    const isLater = this.version !== '1.0';
    // Senders of A have the outcome of an error only here.
    const outcome = isLater && (this.version === 'A' || !this.hasOutcome(kind)) ? this.properties(this.outcome()) : '';
    const rest = isLater ? this.maybe(() => this.route('')) + this.maybe(() => this.rawSdp()) : '';
    const unknown = this.unknown('');
    this.leaf('@Version', 'versions', this.version);
    return {
      callId: this.callId,
      xml: `<Diagnostics Version="${this.version}">${header}${event}${outcome}${rest}${unknown}</Diagnostics>`,
      leaves: this.leaves,
    };
  }

  private header(): string {
    const fields = CONNECTION_FIELDS.filter((field) => !KEYS.has(field.field) && this.has(field));
    const names = this.version === '1.0' ? this.text('FrontEnd', 'frontEnds', this.host()) : '';
    const lists =
      this.version === 'D'
        ? this.text('FrontEnds', 'frontEnds', this.host()) + this.text('Pools', 'pools', this.host())
        : '';
    const originator = this.leaf('@Originator', 'originators', this.hex());
    const time = this.leaf('TimeStamp', 'sentAt', '2026-03-02T10:00:00.123Z');
    return `<ConnectionInfo Originator="${originator}"><CallId>${this.callId}</CallId><TimeStamp>${time}</TimeStamp>${names}${lists}${this.fieldsXml(
      fields,
      'SourcePool',
    )}${this.unknown('ConnectionInfo/')}</ConnectionInfo>`;
  }

  private event(kind: string): string {
    if (kind.endsWith('Invite')) {
      return `<${kind}>${this.endpoint('Caller')}${this.endpoint('Callee')}${this.unknown('Invite/')}</${kind}>`;
    }
    const ends =
      this.version === '1.0' && (kind === 'Ended' || kind === 'Error')
        ? this.endpoint('EndPoint') + this.endpoint('EndPoint')
        : this.endpoint('From') + this.endpoint('To');
    const isCallEnd = kind === 'Bye' || (kind === 'Ended' && this.version === '1.0') || kind === 'Error';
    const type = isCallEnd ? '' : ` Type="${this.leaf('@Type', 'mediaType', 'audio')}"`;
    return `<${kind}${type}>${ends}${this.propertiesOf(kind)}${this.unknown('')}</${kind}>`;
  }

  private hasOutcome(kind: string): boolean {
    return kind === 'Error' || (this.version !== '1.0' && (kind === 'Ended' || kind === 'Bye'));
  }

  private propertiesOf(kind: string): string {
    if (this.hasOutcome(kind)) return this.version === 'A' ? '' : this.properties(this.outcome());
    if (kind === 'Ended') return '';
    if (kind.endsWith('Quality') || kind === 'QualityUpdate') return this.quality();
    const headers =
      this.version === 'D'
        ? this.text('ReferredBy', 'referredBy', this.address()) +
          this.text('Replaces', 'replaces', `${this.hex()};to-tag=a;from-tag=b`) +
          this.text('Via', 'via', this.host())
        : '';
    const bandwidth =
      this.version === '1.0'
        ? ''
        : `<Bandwidth>${this.number('Average', 'average')}${this.number('Maximum', 'maximum')}</Bandwidth>`;
    return this.properties(this.text('Protocol', 'protocol', 'UDP') + this.codec() + bandwidth + headers);
  }

  private quality(): string {
    const metrics = METRICS.map((name) =>
      this.maybe(() => this.text(name, name, /Device|Metric/.test(name) ? this.word() : `${this.next()}.5`)),
    );
    const verdict =
      this.version === 'C' || this.version === 'D' ? this.text('StreamQuality', 'streamQuality', 'Poor') : '';
    const properties = this.properties(metrics.join('') + verdict + this.codec());
    return properties + (this.version === '1.0' ? '' : this.maybe(() => this.route('')));
  }

  private codec(): string {
    const name = this.leaf('Codec', 'name', `Zaphod${this.next()}/8000`);
    if (this.version === '1.0' || this.version === 'A')
      return `<EstimatedBandwidth Codec="${name}">${this.number('Low', 'low')}${this.number('High', 'high')}</EstimatedBandwidth>`;
    return `<Codec Name="${name}">${this.number('Bandwidth', 'low')}${this.number('MaxBandwidth', 'high')}</Codec>`;
  }

  private outcome(): string {
    const code = this.leaf('ResponseCode', 'code', String(400 + (this.next() % 200)));
    const phrase = this.leaf('ResponsePhrase', 'phrase', this.word());
    const kinds = this.version === '1.0' ? [''] : ['', 'Client', 'Public'];
    const texts = kinds.map((kind) => {
      const text = `${this.next()}; reason="${this.word()}"; source="${this.host()}"; to="${this.address()}"`;
      return this.text(`VendorDiagnostics${kind}`, 'text', text);
    });
    const response =
      this.version === '1.0' || this.version === 'A'
        ? `<ResponseCode Code="${code}">${phrase}</ResponseCode>`
        : `<ResponseCode>${code}</ResponseCode><ResponsePhrase>${phrase}</ResponsePhrase>`;
    return response + texts.join('');
  }

  private properties(content: string): string {
    return `<Properties>${content}</Properties>`;
  }

  private endpoint(element: string): string {
    const fields = ENDPOINT_FIELDS.filter((field) => field.field !== 'uri' && this.has(field));
    const uri = this.text('URI', 'uri', this.address());
    return `<${element}>${uri}${this.fieldsXml(fields, '')}${this.unknown('')}</${element}>`;
  }

  private fieldsXml(fields: readonly Field[], always: string): string {
    const agentType = fields.find(({ element }) => element === 'UserAgent@Type');
    return fields
      .filter((field) => field !== agentType)
      .map((field) => {
        if (field.element !== always && !this.choose()) return '';
        const attribute =
          field.element === 'UserAgent' && agentType !== undefined
            ? ` Type="${this.leaf('UserAgent@Type', 'userAgentType', String(this.next()))}"`
            : '';
        const name = NAMES[field.field] ?? field.field;
        const value = this.leaf(field.element, name, this.valueOf(field));
        return `<${field.element}${attribute}>${value}</${field.element}>`;
      })
      .join('');
  }

  private valueOf({ field, conversion, limit }: Field): string {
    if (conversion === 'boolean') return String(this.choose());
    if (conversion !== 'text') return String(10_000 + this.next());
    if (IP_FIELDS.has(field)) return `10.${this.next() % 250}.1.2`;
    if (limit === 'host') return this.host();
    if (limit === 'identifier') return this.hex();
    if (limit === 'address') return this.address();
    if (limit === 'word') return field === 'epType' ? 'LRS' : `2026-03-02T10:0${this.next() % 10}:00.000Z`;
    return this.word();
  }

  /** Whether the version has it, and its type is one that this version uses. */
  private has({ onlyIn }: Field): boolean {
    if (onlyIn === undefined) return true;
    if (this.version === 'D') return onlyIn !== '1.0';
    if (this.version === 'C') return onlyIn === 'extension';
    return this.version === '1.0' && onlyIn === '1.0';
  }

  private route(prefix: string): string {
    const rtt = this.leaf(`${prefix}Hop@RTT`, 'rtt', String(this.next()));
    const address = this.leaf(`${prefix}Hop`, 'address', `10.2.${this.next() % 250}.3`);
    return `<Route><Hop RTT="${rtt}">${address}</Hop></Route>`;
  }

  private rawSdp(): string {
    return this.text('RawSDP', 'rawSdp', `v=0 o=- 1 1 IN IP4 10.0.0.1 s=${this.word()}`);
  }

  private unknown(holder: string): string {
    return this.maybe(() => {
      const name = `Zaphod${this.next()}`;
      const value = this.leaf(holder + name, holder + name, this.word());
      return `<${name}>${value}</${name}>`;
    });
  }

  private text(element: string, name: string, value: string): string {
    return `<${element}>${this.leaf(element, name, value)}</${element}>`;
  }

  private number(element: string, name: string): string {
    return this.text(element, name, String(50_000 + this.next()));
  }

  private leaf(element: string, name: string, value: string): string {
    this.leaves.push({ element, name, value });
    return value;
  }

  private maybe(make: () => string): string {
    return this.choose() ? make() : '';
  }

  private choose(): boolean {
    return this.chosen[this.next() % this.chosen.length] ?? true;
  }

  private next(): number {
    return ++this.used;
  }

  private word(): string {
    return `Zaphod${this.next()} Beeblebrox`;
  }

  private address(): string {
    return `sip:zaphod${this.next()}@u.example.test`;
  }

  private host(): string {
    return `h${this.next()}.example.test`;
  }

  private hex(): string {
    return `a0b1c2${this.next().toString(16).padStart(8, '0')}`;
  }
}

/** Fields of the header whose name in a call differs: a call may have several. */
const NAMES: Readonly<Record<string, string>> = { sourcePool: 'pools' };
