import { acceptsGzip } from './compression.js';

describe('a client', () => {
  it.each(['gzip', 'deflate, gzip', 'GZIP;q=0.5', 'x-gzip', '*', 'br;q=1, *;q=0.1', 'gzip ; q=1.0'])(
    'accepts compressed responses with "%s"',
    (header) => {
      expect(acceptsGzip(header)).toBe(true);
    },
  );

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.0, *', '*;q=0', 'gzippy'])(
    'accepts only uncompressed responses with "%s"',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});
