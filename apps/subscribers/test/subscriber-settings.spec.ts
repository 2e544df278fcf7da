import { IdentityHiding } from '@ringdown/identity-hiding';
import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { Receiver } from './receiver.js';
import { RunningSubscribers, SEED } from './running-subscribers.js';

const OWN_SEED = 'a seed of its very own';
const SDP = 'v=0\r\no=alice 1 1 IN IP4 192.0.2.1\r\n';

/** A record of D with fields that older versions do not know. */
function record(callId: string, { trunk = 'trunk-1', tenant = 'tenant-1' } = {}): string {
  return `<LyncDiagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><CSEQ>1</CSEQ></ConnectionInfo>
<Start Type="audio"><From><Id>a</Id><URI>sip:alice@example.test</URI><TenantId>${tenant}</TenantId><SSID>office</SSID></From>
<To><Id>b</Id><URI>sip:+4930123@gateway.test</URI><Trunk>${trunk}</Trunk></To><Properties><Protocol>UDP</Protocol></Properties></Start>
<RawSDP>${SDP}</RawSDP></LyncDiagnostics>`;
}

describe('the settings of a subscriber', () => {
  const started = new Started();
  let natsUrl: string;
  let service: RunningSubscribers;
  let receiver: Receiver;
  let subscriberNumber = 0;

  beforeAll(async () => {
    natsUrl = started.add(await startNats()).url;
  });
  beforeEach(async () => {
    service = await RunningSubscribers.open(natsUrl);
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await service.end();
    await receiver.stop();
  });
  afterAll(() => started.stopAll());

  /** A new subscriber each time, without state on the bus. */
  function subscriber(more: object): object {
    return { name: `settings-${++subscriberNumber}`, submituri: receiver.url, requesttimeout: 300, ...more };
  }

  async function bodies(count: number): Promise<readonly string[]> {
    await eventually(`${count} records`, () => receiver.received.length >= count);
    return receiver.received.map(({ body }) => body);
  }

  it('obfuscationseed: users have other tokens than for other subscribers, also in SDP', async () => {
    await service.start(subscriber({ sendrawsdp: true }), subscriber({ sendrawsdp: true, obfuscationseed: OWN_SEED }));
    await service.publish(record('seeds'));
    const tokens = [SEED, OWN_SEED].map((seed) => new IdentityHiding(seed).token('alice'));
    const seen = await bodies(2);
    for (const token of tokens) {
      const own = seen.find((body) => body.includes(`<URI>sip:${token}@example.test</URI>`));
      expect(own).toContain(`o=${token} 1 1 IN IP4 192.0.2.1`);
    }
    expect(seen.join('')).not.toMatch(/alice|4930123/);
  });

  it.each([
    ['trunkfilters', 'TRUNK-2, trunk-3'],
    ['tenantfilters', 'tenant-2'],
  ])('%s: no other calls', async (kind, value) => {
    await service.start(subscriber({ [kind]: value }));
    await service.publish(
      record('other'),
      record('wanted', { trunk: 'trunk-2', tenant: 'tenant-2' }),
      record('another'),
    );
    const [first] = await bodies(1);
    expect(first).toContain('<CallId>wanted</CallId>');
    await service.publish(record('last', { trunk: 'trunk-2', tenant: 'tenant-2' }));
    const [, second] = await bodies(2);
    expect(second).toContain('<CallId>last</CallId>');
  });

  it('schemaextension: whether later fields are sent in C', async () => {
    await service.start(subscriber({ outputschema: 'C' }), subscriber({ outputschema: 'C', schemaextension: 'False' }));
    await service.publish(record('extended'));
    const seen = await bodies(2);
    expect(seen.filter((body) => /<SSID>hidden-[\dA-F]{16}<\/SSID>/.test(body))).toHaveLength(1);
    expect(seen.filter((body) => body.includes('Version="C"'))).toHaveLength(2);
  });

  it('outputschema: a record of D is converted to 1.0', async () => {
    await service.start(subscriber({ outputschema: '1.0' }));
    await service.publish(record('old'));
    const [only] = await bodies(1);
    expect(only).toContain('Version="1.0"');
    expect(only).toContain('<StartOrUpdate Type="audio">');
    expect(only).not.toMatch(/Trunk|TenantId|RawSDP/);
  });
});
