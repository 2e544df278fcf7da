import { CONDITION_NAMES } from '../search/conditions.js';
import { NO_CRITERIA } from '../search/filter.js';
import { dimensionOf } from './dimensions.js';
import { readQualityQuery, qualityHref, unknownIn } from './quality-query.js';

describe('readQualityQuery', () => {
  it.each([
    '',
    '?last=7d',
    '?by=site',
    '?compare=before&codec=opus',
    '?last=1h&by=userAgent',
    '?last=7d&by=site&address=10.1.0.0%2F16&frontEnd=fe1&codec=PCMU%2F8000&userAgent=a%26b%3Dc',
    '?from=2026-11-16T00%3A00%3A00.000Z&to=2026-11-17T00%3A00%3A00.000Z&by=codec',
  ])('reads what qualityHref wrote: %s', (search) => {
    expect(qualityHref(readQualityQuery(search))).toBe(`/quality${search}`);
  });

  it('defaults to subnets of the last day', () => {
    expect(readQualityQuery('')).toEqual({
      period: { span: '24h', from: '', to: '' },
      by: 'subnet',
      comparison: { kind: 'none' },
      criteria: NO_CRITERIA,
    });
  });

  it('reads a dimension under its name of an earlier release', () => {
    const before = { accessPoint: 'bssid' } as const;
    expect(['accessPoint', 'bssid', 'toString', null].map((name) => dimensionOf(name, before))).toEqual([
      'bssid',
      'bssid',
      undefined,
      undefined,
    ]);
  });

  it('ignores unknown parameters, and times without a beginning', () => {
    expect(readQualityQuery('?last=9y&by=colour&from=then&other=1')).toEqual(readQualityQuery(''));
    expect(readQualityQuery('?last=all')).toEqual(readQualityQuery(''));
    expect(readQualityQuery('?by=toString')).toEqual(readQualityQuery(''));
    expect(readQualityQuery('?frontEnd=%20')).toEqual(readQualityQuery(''));
  });

  it.each([...CONDITION_NAMES.map((name) => `?${name}=1`), '?q=anna', '?state=ended,failed', '?verdict=bad'])(
    'has every filter of the search: %s',
    (search) => {
      expect(readQualityQuery(search)).not.toEqual(readQualityQuery(''));
      expect(qualityHref(readQualityQuery(search))).toBe(`/quality${search}`);
    },
  );
});

describe('unknownIn', () => {
  it('names what has no effect', () => {
    expect(unknownIn('?last=7d&by=site&compare=before&codec=opus&not.os=x&minLoss=0.1&verdict=bad')).toEqual([]);
    expect(unknownIn('?last=all&by=colour&compare=after&usr=anna&sort=newest&minLoss=much')).toEqual([
      'last=all',
      'by=colour',
      'compare=after',
      'usr=anna',
      'sort=newest',
      'minLoss=much',
    ]);
  });
});
