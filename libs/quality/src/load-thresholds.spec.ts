import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadThresholds } from './load-thresholds.js';
import { streamMos } from './stream-mos.js';
import { defaultProfiles, defaultThresholds, type ThresholdProfiles } from './thresholds.js';
import { judge } from './verdict.js';

describe('the quality thresholds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-thresholds-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function load(content: string): ThresholdProfiles {
    const file = join(folder, 'thresholds.json');
    writeFileSync(file, content);
    return loadThresholds(file);
  }

  it('are those of the feed when no file is configured', () => {
    expect(loadThresholds('default')).toBe(defaultProfiles);
    expect(load('{}')).toEqual(defaultProfiles);
  });

  it('change only where the file contains a value', () => {
    const audio = {
      mos: { optimal: 4, acceptable: 3.5 },
      minimumPackets: 100,
      metrics: {
        JitterInterArrival: { optimal: 20, acceptable: 45 },
        RoundTrip: null,
        RecvListenMOS: { optimal: 4, acceptable: 3 },
      },
    };
    const { D: profile } = load(JSON.stringify({ audio, Fax: { metrics: { Pages: { optimal: 1, acceptable: 2 } } } }));
    const { RoundTrip: _removed, ...metrics } = defaultThresholds['audio']?.metrics ?? {};
    expect(profile['audio']).toEqual({
      metrics: {
        ...metrics,
        JitterInterArrival: audio.metrics.JitterInterArrival,
        RecvListenMOS: audio.metrics.RecvListenMOS,
      },
      minimumPackets: 100,
      zeroWhenAbsent: ['PacketLossRate', 'JitterInterArrival'],
      mos: { optimal: 4, acceptable: 3.5 },
    });
    expect(profile['video']).toBe(defaultThresholds['video']);
    expect(profile['fax']).toEqual({
      metrics: { Pages: { optimal: 1, acceptable: 2 } },
      minimumPackets: 0,
      zeroWhenAbsent: [],
    });
  });

  it('change for one version where the file contains one, on top of those for all', () => {
    const jitter = (optimal: number): object => ({ metrics: { JitterInterArrival: { optimal, acceptable: 50 } } });
    const profiles = load(
      JSON.stringify({
        audio: jitter(20),
        versions: { A: { audio: jitter(30) }, RTP: { Audio: { minimumPackets: 1 } } },
      }),
    );
    const optimal = Object.entries(profiles).map(([name, { audio }]) => [
      name,
      audio?.metrics['JitterInterArrival']?.optimal,
    ]);
    expect(Object.fromEntries(optimal)).toEqual({ '1.0': 20, A: 30, C: 20, D: 20, RTP: 20 });
    expect([profiles.RTP, profiles.D].map(({ audio }) => audio?.minimumPackets)).toEqual([1, 500]);
  });

  it('have the MOS of the file, or none', () => {
    const level = (content: string): string | undefined =>
      streamMos({ mediaType: 'audio', codecs: [], metrics: { RecvListenMOS: { value: 3.7 } } }, load(content)).listening
        ?.level;
    expect(level('{}')).toBe('good');
    expect(level('{"audio":{"mos":{"optimal":4,"acceptable":3.5}}}')).toBe('poor');
    expect(level('{"audio":{"mos":null}}')).toBe('unjudged');
  });

  it('show by their order whether more is worse', () => {
    const { D: profile } = load(
      '{"audio":{"metrics":{"Joy":{"optimal":9,"acceptable":5},"Woe":{"optimal":5,"acceptable":9}}}}',
    );
    const of = (metric: string, value: number): string =>
      judge({ mediaType: 'audio', codecs: [], metrics: { [metric]: { value } } }, profile).verdict;
    expect([of('Joy', 10), of('Joy', 6), of('Joy', 4)]).toEqual(['good', 'poor', 'bad']);
    expect([of('Woe', 4), of('Woe', 6), of('Woe', 10)]).toEqual(['good', 'poor', 'bad']);
  });

  it.each([
    ['[]', 'must contain an object at "/"'],
    ['{"audio":1}', 'must contain an object at "/audio"'],
    ['{"audio":{"metric":{}}}', 'has an unknown key "/audio/metric"'],
    ['{"audio":{"metrics":[]}}', 'must contain an object at "/audio/metrics"'],
    ['{"audio":{"metrics":{"A":{"optimal":1}}}}', 'needs a number of 0 or more at "/audio/metrics/A/acceptable"'],
    [
      '{"audio":{"metrics":{"A":{"optimal":"1","acceptable":2}}}}',
      'needs a number of 0 or more at "/audio/metrics/A/optimal"',
    ],
    [
      '{"audio":{"metrics":{"A":{"optimal":1,"acceptable":2,"worst":3}}}}',
      'has an unknown key "/audio/metrics/A/worst"',
    ],
    ['{"audio":{"minimumPackets":-1}}', 'needs a number of 0 or more at "/audio/minimumPackets"'],
    ['{"audio":{"zeroWhenAbsent":[1]}}', 'needs a list of texts at "/audio/zeroWhenAbsent"'],
    ['{"versions":[]}', 'must contain an object at "/versions"'],
    ['{"versions":{"B":{}}}', 'has an unknown key "/versions/B": versions are 1.0, A, C, D, RTP'],
    ['{"versions":{"A":{"audio":{"metric":{}}}}}', 'has an unknown key "/versions/A/audio/metric"'],
    ['{"audio":{"mos":3}}', 'must contain an object at "/audio/mos"'],
    ['{', 'must be "default" or a readable JSON file'],
  ])('are rejected when the file contains %s', (content, message) => {
    expect(() => load(content)).toThrow(message);
  });
});
