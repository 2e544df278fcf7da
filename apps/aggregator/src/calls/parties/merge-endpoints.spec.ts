import { anna, ben, example, stream } from '../../../test/call-examples.js';
import { deriveCall } from '../derive-call.js';
import { EXTENSIONS_LIMIT, mergeEndpoints, mergeExtensions } from './merge-endpoints.js';

function manyExtensions(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`Element${n}`, 'x']));
}

describe('the unknown elements of several records', () => {
  it('are together in one, with the later one of two values of one path', () => {
    const earlier = { id: 'a1', further: { Desk: '1', Floor: '2' } };
    expect(mergeEndpoints(earlier, { vpn: true, further: { Floor: '3' } })).toEqual({
      id: 'a1',
      vpn: true,
      further: { Desk: '1', Floor: '3' },
    });
    expect(mergeEndpoints(earlier, { vpn: true })).toEqual({ ...earlier, vpn: true });
    expect(mergeExtensions([{}, {}])).toBeUndefined();
  });

  it('are bounded, and those that are kept can still change', () => {
    const [first, ...others] = [{ further: manyExtensions(500) }, { further: { Element0: 'y', Another: 'z' } }];
    const merged = mergeExtensions([first, ...others]);
    expect(Object.keys(merged ?? {})).toHaveLength(EXTENSIONS_LIMIT);
    expect(merged).toMatchObject({ Element0: 'y' });
    expect(merged).not.toHaveProperty('Another');
  });

  it('are merged in linear time in a call that sees one endpoint again and again', () => {
    const sighting = (further: Record<string, string>): ReturnType<typeof stream> =>
      stream('audio', { ...anna, further }, ben, { further });
    const sightings = [6_500, ...Array.from({ length: 890 }, () => 1)].map(manyExtensions).map(sighting);
    const record = example(sightings);
    const begun = process.cpuUsage();
    const { call } = deriveCall([record]);
    // About 100 ms. To copy all of them for each sighting took 4 seconds.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(1_000);
    const [party, only] = [call.parties[0], call.streams[0]];
    for (const further of [party?.further, only?.from?.further, only?.further]) {
      expect(Object.keys(further ?? {})).toHaveLength(EXTENSIONS_LIMIT);
    }
  });
});
