import { negotiate } from './index.js';

const offers = ['application/json', 'application/vnd.x+json', 'application/xml', 'application/vnd.x+xml'] as const;

describe('content negotiation', () => {
  it.each<[string | undefined, (typeof offers)[number] | undefined]>([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['APPLICATION/XML', 'application/xml'],
    ['application/vnd.x+xml', 'application/vnd.x+xml'],
    ['application/vnd.x+xml; charset=utf-8', 'application/vnd.x+xml'],
    ['application/vnd.x+xml, */*', 'application/vnd.x+xml'],
    ['application/json, text/javascript, */*; q=0.01', 'application/json'],
    ['application/xml;q=0.5, application/json;q=0.4', 'application/xml'],
    ['application/xml, application/json', 'application/xml'],
    ['application/json;q=0, */*', 'application/vnd.x+json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml'],
    ['*/*;q=0', undefined],
    ['text/html', undefined],
    ['image/*, text/*', undefined],
    ['garbage', 'application/json'],
    ['application/xml;q=high', 'application/xml'],
    ['*/xml, application/xml', 'application/xml'],
  ])('for %j selects %s', (accept, chosen) => {
    expect(negotiate(accept, offers)).toBe(chosen);
  });
});
