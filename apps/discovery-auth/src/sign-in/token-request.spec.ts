import { InterfaceError } from '@ringdown/web-server/errors';
import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import { readForm } from './form.js';
import { readGrant } from './token-request.js';

const FORM = 'application/x-www-form-urlencoded';

async function read(body: string | Buffer, contentType = FORM, profile = defaultProfile): Promise<unknown> {
  try {
    return readGrant(await readForm(contentType, Buffer.from(body)), profile.web);
  } catch (error) {
    if (error instanceof InterfaceError) return `${error.row.status} ${error.row.code}: ${error.message}`;
    throw error;
  }
}

async function multipart(fields: readonly (readonly [string, string | Blob])[]): Promise<[Buffer, string]> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const response = new Response(form);
  return [Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? ''];
}

describe('a token request', () => {
  const good = 'grant_type=password&username=a%40x.test&password=p%26q+r';
  const grant = { type: 'password', username: 'a@x.test', password: 'p&q r' };

  it.each([
    FORM,
    `${FORM};charset=UTF-8`,
    `${FORM}; charset='utf-8'`,
    `${FORM}; charset="x-odd"`,
    `${FORM};`,
    FORM.toUpperCase(),
    '',
  ])('is read as "%s"', async (contentType) => {
    expect(await read(good, contentType)).toEqual(grant);
  });

  it('is read as a multipart form, also with files instead of texts', async () => {
    const fields = [
      ['Grant_Type', 'password'],
      ['username', 'a@x.test'],
      ['PASSWORD', new Blob(['p&q r'])],
      ['resource', ''],
    ] as const;
    expect(await read(...(await multipart(fields)))).toEqual(grant);
  });

  it.each([
    ['no boundary', 'multipart/form-data'],
    ['another boundary', 'multipart/form-data; boundary=x'],
  ])('is rejected as a multipart form with %s', async (_what, contentType) => {
    const [body] = await multipart([['grant_type', 'password']]);
    expect(await read(body, contentType)).toBe('400 invalid_request: the form could not be read');
  });

  it('may write names in any case and contain unknown ones', async () => {
    expect(await read('GRANT_TYPE=PASSWORD&Username=a&Password=b&resource=c&scope=all')).toEqual({
      type: 'password',
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
    ['grant_type=client_credentials', '400 unsupported_grant_type: This grant type is not supported.'],
    ['grant_type=constructor', '400 unsupported_grant_type: This grant type is not supported.'],
    ['grant_type=urn:microsoft.rtc:anonmeeting', '400 unsupported_grant_type: This grant type is not supported.'],
    ['grant_type=password&username=a&password=b&scope=mail', '400 invalid_scope: The only scope is "all".'],
    [
      `grant_type=password&username=a&password=${'b'.repeat(1025)}`,
      '400 invalid_request: password has at most 1024 characters',
    ],
  ])('%.60s is rejected', async (body, outcome) => {
    expect(await read(body)).toBe(outcome);
  });

  it('of another media type is rejected', async () => {
    expect(await read('{"grant_type":"password"}', 'application/json')).toMatch(/^415 invalid_request/);
  });
});

describe('a token request of a guest', () => {
  const uri = 'sip:a@x.test;gruu;opaque=app:conf:focus:id:ABC';

  it('contains the URI and the id of the meeting, and optionally the token to renew', async () => {
    const fields = { GRANT_TYPE: 'urn:microsoft.rtc:anonmeeting', password: 'ABC', MS_RTC_ConferenceUri: uri };
    const body = new URLSearchParams(fields).toString();
    const grant = { type: 'meeting', conferenceUri: uri, conferenceId: 'ABC' };
    expect(await read(body, FORM, msProfile)).toEqual(grant);
    expect(await read(`${body}&ms_rtc_renew=cwt%3Dold`, FORM, msProfile)).toEqual({ ...grant, renewed: 'cwt=old' });
    expect(await read(body)).toBe('400 unsupported_grant_type: This grant type is not supported.');
  });

  it.each([
    ['password=ABC', '400 invalid_request: ms_rtc_conferenceuri is missing'],
    [`ms_rtc_conferenceuri=${uri}`, '400 invalid_request: password is missing'],
  ])('with only %s is rejected', async (body, outcome) => {
    expect(await read(`grant_type=urn:microsoft.rtc:anonmeeting&${body}`, FORM, msProfile)).toBe(outcome);
  });
});

describe('a token request after sign-in at a provider', () => {
  const code = {
    grant_type: 'authorization_code',
    code: 'c',
    code_verifier: 'v',
    redirect_uri: 'https://x.test/console/',
  };
  const exchange = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'a.b.c',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  };
  const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

  it('contains the code of the provider, and what belongs to it', async () => {
    const grant = { type: 'code', code: 'c', codeVerifier: 'v', redirectUri: 'https://x.test/console/' };
    expect(await read(form(code))).toEqual({ ...grant, nonce: undefined, issuer: undefined });
    const complete = { ...code, nonce: 'n', iss: 'https://sso.test' };
    expect(await read(form(complete))).toEqual({ ...grant, nonce: 'n', issuer: 'https://sso.test' });
  });

  it('contains a token of the provider, which may be long', async () => {
    const token = 'x'.repeat(12_000);
    expect(await read(form({ ...exchange, subject_token: token }))).toEqual({ type: 'exchange', token });
    const tooLong = '400 invalid_request: subject_token has at most 12000 characters';
    expect(await read(form({ ...exchange, subject_token: `${token}x` }))).toBe(tooLong);
  });

  it.each([
    [
      'an unknown type of token',
      { ...exchange, subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
      /^400 invalid_request: subject_token_type must be/,
    ],
    [
      'no type of token',
      { ...exchange, subject_token_type: '' },
      /^400 invalid_request: subject_token_type is missing/,
    ],
    [
      'an address that is none',
      { ...code, redirect_uri: '/console/' },
      /^400 invalid_request: redirect_uri is not a URL/,
    ],
    ['no code', { ...code, code: '' }, /^400 invalid_request: code is missing/],
  ])('is rejected with %s', async (_what, fields, outcome) => {
    expect(await read(form(fields))).toMatch(outcome);
  });
});
