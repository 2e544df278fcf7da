import type { Call } from '../src/calls/call.js';
import { Surroundings, type Page, type Problem, type RunningAggregator } from './aggregator-under-test.js';
import { published } from './feed-examples.js';

/** A call with one report for each direction. */
function call(callId: string, ...directions: readonly string[]): string {
  const reports = directions.map((properties, index) => {
    const [from, to] = index === 0 ? ['anna', 'ben'] : ['ben', 'anna'];
    return `<QualityUpdate Type="audio"><From>${side(from)}</From><To>${side(to)}</To>
      <Properties>${properties}</Properties></QualityUpdate>`;
  });
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><FrontEnds>fe1</FrontEnds>
    <TimeStamp>2026-03-02T10:00:00Z</TimeStamp></ConnectionInfo>${reports.join('')}</Diagnostics>`;
}

function side(name = 'anna'): string {
  return `<Id>${name}1</Id><URI>sip:${name}@example.test</URI><IP>10.0.0.1</IP>`;
}

function metrics(loss: number, jitter: number, roundTrip: number, mos: number): string {
  return `<PacketLossRate>${loss}</PacketLossRate><JitterInterArrival>${jitter}</JitterInterArrival>
    <RoundTrip>${roundTrip}</RoundTrip><OverallAvgNetworkMOS>${mos}</OverallAvgNetworkMOS>`;
}

describe('calls by the worst metrics of their streams', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    await around.publish(
      published(call('clean', metrics(0, 2, 20, 4.3), metrics(0, 3, 25, 4.2))),
      published(call('lossy', metrics(0, 2, 20, 4.3), metrics(0.08, 40, 20, 2.9))),
      published(call('slow', metrics(0.01, 2, 700, 4))),
      published(call('unmeasured')),
    );
    for (const callId of ['clean', 'lossy', 'slow', 'unmeasured']) await around.call(aggregator, callId);
  });
  afterAll(() => around.stop());

  it.each([
    ['minLoss=0.05', ['lossy']],
    ['minLoss=0.010001', ['lossy']],
    ['maxLoss=0', ['clean']],
    ['minLoss=0&maxLoss=0.01', ['clean', 'slow']],
    ['minJitter=30', ['lossy']],
    ['maxJitter=3', ['clean', 'slow']],
    ['minRoundTrip=300.5', ['slow']],
    ['maxRoundTrip=25', ['clean', 'lossy']],
    ['maxMos=3.5', ['lossy']],
    ['minMos=4&maxMos=4.25', ['clean', 'slow']],
    ['minMos=1', ['clean', 'lossy', 'slow']],
    ['minLoss=0.05&maxMos=2', []],
  ])('are found by %s', async (query, callIds) => {
    const { body } = await aggregator.get<Page<Call>>(`/api/calls?${query}`, around.operator);
    expect(body.items.map(({ callId }) => callId).toSorted()).toEqual(callIds);
  });

  it('are listed with these values', async () => {
    const { body } = await aggregator.get<Page<unknown>>('/api/calls?sort=-loss', around.operator);
    expect(body.items).toEqual([
      expect.objectContaining({ callId: 'lossy', worst: { loss: 0.08, jitter: 40, roundTrip: 20, mos: 2.9 } }),
      expect.objectContaining({ callId: 'slow', worst: { loss: 0.01, jitter: 2, roundTrip: 700, mos: 4 } }),
      expect.objectContaining({ callId: 'clean', worst: { loss: 0, jitter: 3, roundTrip: 25, mos: 4.2 } }),
    ]);
  });

  it.each([
    ['minLoss', '5'],
    ['minLoss', '-0.1'],
    ['minLoss', '5%25'],
    ['minLoss', '0.0000001'],
    ['maxLoss', '1e-3'],
    ['maxLoss', 'NaN'],
    ['minJitter', '1e999'],
    ['maxJitter', '9'.repeat(5_000)],
    ['minRoundTrip', '0.0001'],
    ['maxRoundTrip', '%00'],
    ['minMos', '0.9'],
    ['maxMos', '%D9%A3'],
    ['maxMos', '3.5&maxMos=4'],
    ['minMos', '4&maxMos=3'],
  ])('are not found by %s=%s', async (name, value) => {
    const { status, body } = await aggregator.get<Problem>(`/api/calls?${name}=${value}`, around.operator);
    expect([status, body.parameters?.map((each) => each.name)]).toEqual([400, [name]]);
  });
});
