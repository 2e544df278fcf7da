import { RECORDS_STREAM, type PublishedRecord, type RecordBatch } from '@ringdown/contracts/records';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { RejectedRecords } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { Health, Metrics, type Logger } from '@ringdown/observability';
import { startService } from '@ringdown/service';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { collector } from '../src/index.js';

/** A bus that is slow on a busy machine must not count as unreachable. */
const PATIENT = { COLLECTOR_PORT: '0', COLLECTOR_HOST: '127.0.0.1', COLLECTOR_STORE_MS: '60000' };

/** The whole service as its `main` runs it, without a separate process. */
export class RunningCollector {
  private constructor(
    private readonly addresses: readonly string[],
    private readonly bus: Bus,
    private readonly metrics: Metrics,
    private readonly closeService: () => Promise<void>,
  ) {}

  static async start(
    natsUrl: string,
    env: Record<string, string> = {},
    logger: Logger = quietLogger(),
  ): Promise<RunningCollector> {
    const metrics = new Metrics();
    const { app } = await startService({
      service: collector,
      env: { ...PATIENT, ...env },
      natsUrl,
      shared: { logger, metrics, health: new Health() },
    });
    const addresses = collector.addressOf?.(app).split(' and ') ?? [];
    const bus = await Bus.connect({ url: natsUrl, name: 'test', logger });
    return new RunningCollector(addresses, bus, metrics, () => app.close());
  }

  get base(): string {
    return this.addresses[0] ?? '';
  }

  get port(): number {
    return Number(new URL(this.base).port);
  }

  get httpsPort(): number {
    return Number(new URL(this.addresses.find((address) => address.startsWith('https:')) ?? '').port);
  }

  post(
    body: string | Uint8Array,
    headers: Record<string, string> = {},
    path = '/Ringdown/RequestMessage',
  ): Promise<Response> {
    return fetch(this.base + path, { method: 'POST', headers: { 'content-type': 'text/xml', ...headers }, body });
  }

  /** `body`: as JSON, a text as it is. */
  postJson(path: string, body: unknown, type = 'application/json'): Promise<Response> {
    return this.post(typeof body === 'string' ? body : JSON.stringify(body), { 'content-type': type }, path);
  }

  /** Posts a record and returns the `Count` of the reply. */
  async count(xml: string): Promise<number> {
    const response = await this.post(xml);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`answered ${response.status} ${body}`);
    return countIn(body);
  }

  /** The current content of the stream, in order. */
  async stored(): Promise<readonly PublishedRecord[]> {
    // After an outage, this connection may recover later than that of the service.
    await eventually('the bus', () =>
      this.bus.connection.flush().then(
        () => true,
        () => false,
      ),
    );
    const { state } = await this.bus.jsm.streams.info(RECORDS_STREAM);
    const records: PublishedRecord[] = [];
    for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
      const message = await this.bus.jsm.streams.getMessage(RECORDS_STREAM, { seq });
      records.push(...(message?.json<RecordBatch>().records ?? []));
    }
    return records;
  }

  rejected(): Promise<readonly RejectedRecord[]> {
    return new RejectedRecords(this.bus).latest(100);
  }

  /** The value of one line of the metrics, as an operator's Prometheus reads it. */
  async metric(line: string): Promise<number> {
    const lines = (await this.metrics.registry.metrics()).split('\n');
    const found = lines.find((candidate) => candidate.startsWith(`${line} `));
    return found === undefined ? 0 : Number(found.slice(line.length));
  }

  async metricNames(): Promise<readonly string[]> {
    const lines = (await this.metrics.registry.metrics()).split('\n');
    return lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
  }

  /** The sum of all lines that match at their beginning. */
  async metricSum(start: RegExp): Promise<number> {
    const lines = (await this.metrics.registry.metrics()).split('\n').filter((line) => start.test(line));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  stopService(): Promise<void> {
    return this.closeService();
  }

  async stop(): Promise<void> {
    await this.closeService();
    await this.bus.close();
  }
}

export function countIn(body: string): number {
  return Number(/<Count>(\d+)<\/Count>/.exec(body)?.[1]);
}

let calls = 0;

/** A record with only a header, of a sender that may name a pool and no front end. */
export function headerRecord(version: string, header = ''): string {
  return `<Diagnostics Version="${version}"><ConnectionInfo><CallId>call-${++calls}</CallId>${header}</ConnectionInfo></Diagnostics>`;
}

/** A start record of a new call unless one is named. */
export function startRecord({ frontEnd = 'fe1.example.test', callId = `call-${++calls}`, filling = '' } = {}): string {
  return `<Diagnostics Version="1.0"><ConnectionInfo><FrontEnd>${frontEnd}</FrontEnd><CallId>${callId}</CallId>
<CSEQ>2</CSEQ><TimeStamp>2026-03-04T09:15:27.1234567Z</TimeStamp></ConnectionInfo>
<StartOrUpdate Type="audio"><From><Id>a</Id><URI>sip:alice@example.test</URI><IP>192.0.2.1</IP><Port>50000</Port></From>
<To><Id>b</Id><URI>sip:bob@example.test</URI><IP>192.0.2.2</IP><Port>50002</Port></To>
<Properties><Protocol>UDP</Protocol>${filling}</Properties></StartOrUpdate></Diagnostics>`;
}

export function configurationRequest(frontEnd = 'fe1.example.test'): string {
  return `<GetConfiguration Version="1.0"><Pool/><FrontEnd>${frontEnd}</FrontEnd><CurrentVersion/></GetConfiguration>`;
}
