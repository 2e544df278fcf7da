import { InterfaceError } from '@ringdown/http-server';
import { readTokenRequest } from './token-request.js';

const FORM = 'application/x-www-form-urlencoded';

function read(body: string, contentType: string | undefined = FORM): unknown {
  try {
    return readTokenRequest(contentType, Buffer.from(body));
  } catch (error) {
    if (error instanceof InterfaceError) return `${error.row.status} ${error.row.code}: ${error.message}`;
    throw error;
  }
}

describe('a token request', () => {
  const good = 'grant_type=password&username=a%40x.test&password=p%26q+r';

  it.each([FORM, `${FORM};charset=UTF-8`, `${FORM}; charset='utf-8'`, `${FORM}; charset="x-odd"`, FORM.toUpperCase()])(
    'is read as %s',
    (contentType) => {
      expect(read(good, contentType)).toEqual({ username: 'a@x.test', password: 'p&q r' });
    },
  );

  it('may spell its names in any case and hold more than is known', () => {
    expect(read('GRANT_TYPE=password&Username=a&Password=b&resource=c&scope=all')).toEqual({
      username: 'a',
      password: 'b',
    });
  });

  it.each([
    ['', '400 invalid_request: grant_type is missing'],
    ['grant_type=password&password=b', '400 invalid_request: username is missing'],
    ['grant_type=password&username=a&password=', '400 invalid_request: password is missing'],
    [
      'grant_type=password&username=a&Username=a&password=b',
      '400 invalid_request: a parameter is given more than once',
    ],
    [
      'grant_type=password&username=a&password=b&password=b',
      '400 invalid_request: a parameter is given more than once',
    ],
    ['grant_type=client_credentials', '400 unsupported_grant_type: This grant type is not served.'],
    ['grant_type=password&username=a&password=b&scope=mail', '400 invalid_scope: The only scope is "all".'],
    [
      `grant_type=password&username=a&password=${'b'.repeat(1025)}`,
      '400 invalid_request: username and password have at most 1024 characters',
    ],
  ])('%.60s is refused', (body, outcome) => {
    expect(read(body)).toBe(outcome);
  });

  it('of another media type is refused', () => {
    expect(read('{"grant_type":"password"}', 'application/json')).toMatch(/^415 invalid_request/);
  });
});
