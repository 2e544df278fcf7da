import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { senderOrigin, recordsUrl, refusalByHead } from './request-checks.js';

function head(headers: Record<string, string>, method = 'POST'): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method, headers });
}

describe('the head of a request', () => {
  it.each(['text/xml', 'application/xml', 'TEXT/XML; charset=utf-8', 'application/vnd.x-y.z+xml', ' text/xml ;a=b'])(
    'may declare %s',
    (type) => {
      expect(refusalByHead(head({ 'content-type': type, 'content-length': '9' }), 100)).toBeUndefined();
    },
  );

  it.each(['application/json', 'text/plain', 'xml', 'text/xmlx', 'text/html+xmls', ''])(
    'may not declare "%s"',
    (type) => {
      expect(refusalByHead(head({ 'content-type': type, 'content-length': '9' }), 100)?.code).toBe(
        'unsupported-media-type',
      );
    },
  );

  it('need not declare a type, and the type of an empty body does not matter', () => {
    expect(refusalByHead(head({ 'content-length': '9' }), 100)).toBeUndefined();
    expect(refusalByHead(head({ 'content-type': 'text/plain', 'content-length': '0' }), 100)).toBeUndefined();
  });

  it('is rejected as too large only when the sender waits for a reply; other bodies are read to the end first', () => {
    expect(refusalByHead(head({ 'content-length': '101', expect: '100-continue' }), 100)?.code).toBe('too-large');
    expect(refusalByHead(head({ 'content-length': '101' }), 100)).toBeUndefined();
  });

  it('may not be of a web page, also not with a body without a type, which a browser sends without asking first', () => {
    for (const origin of ['https://evil.test', 'null', ''])
      expect(refusalByHead(head({ 'content-length': '9', origin }), 100)?.code).toBe('origin-not-allowed');
  });

  it('may not declare a compressed body', () => {
    expect(refusalByHead(head({ 'content-encoding': 'gzip' }), 100)?.code).toBe('unsupported-encoding');
    expect(refusalByHead(head({ 'content-encoding': 'Identity' }), 100)).toBeUndefined();
  });
});

describe('the URL for records', () => {
  it.each([
    ['http://collector:8080', '/LDL/GetConfiguration', 'http://collector:8080/LDL/RequestMessage'],
    ['https://[::1]:8080', '/a/b/GetConfiguration?x=1', 'https://[::1]:8080/a/b/RequestMessage'],
    ['https://feed.example.test', '/', 'https://feed.example.test/RequestMessage'],
    [undefined, '/LDL/GetConfiguration', undefined],
  ])('is for %s and %s %s', (origin, path, url) => {
    expect(recordsUrl(origin, path)).toBe(url);
  });

  it('stays on its origin for every path', () => {
    expect(recordsUrl('https://feed.example.test', '//evil.test/x')).toMatch(/^https:\/\/feed\.example\.test\//);
    expect(recordsUrl('http://fe', 'http://evil.test/x/y')).toMatch(/^http:\/\/fe\//);
  });

  it.each([
    ['collector:8080', 'https://collector:8080'],
    ['[::1]:8080', 'https://[::1]:8080'],
    ['evil.test/"><x', undefined],
    ['user@evil.test', undefined],
    [undefined, undefined],
  ])('is on the requested host: %s', (host, origin) => {
    expect(senderOrigin('https', host)).toBe(origin);
  });
});
