import type { Answer } from './answer.js';
import { Contract } from './contract.js';
import { systemUnderTest } from './environment.js';
import { profileNames } from './vendor-names.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** The black-box suite is only useful if it detects errors. */
describe('the check of responses against OpenAPI', () => {
  const contract = new Contract();

  function answer(status: number, headers: Answer['headers'], body: unknown): Answer {
    return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
  }

  const token = {
    access_token: 'x'.repeat(43),
    expires_in: 28_800,
    ringdown_rtc_identityscope: 'local',
    token_type: 'Bearer',
  };
  const checkToken =
    (body: unknown, headers: Answer['headers'] = JSON_TYPE, status = 200) =>
    (): void =>
      contract.check('requestToken', answer(status, headers, body));

  it('accepts what is described', () => {
    expect(checkToken(token)).not.toThrow();
  });

  it.each<[string, () => void, RegExp]>([
    ['a status', checkToken(token, JSON_TYPE, 201), /answered 201, which OpenAPI does not know/],
    ['a media type', checkToken(token, { 'content-type': 'text/plain' }), /as text\/plain; OpenAPI: application\/json/],
    ['a header', checkToken(token, { ...JSON_TYPE, 'cache-control': 'max-age=5' }), /header Cache-Control/],
    ['a body that is not JSON', checkToken('{'), /the body is not JSON/],
    ['a missing field', checkToken({ ...token, token_type: undefined }), /'token_type'/],
    ['a wrong type', checkToken({ ...token, expires_in: '28800' }), /expires_in must be integer/],
    ['an undescribed field', checkToken({ ...token, extra: 1 }), /additional properties .*"extra"/],
  ])('rejects %s that does not match', (_what, check, message) => {
    expect(check).toThrow(message);
  });

  it('requires the headers that are described as required', () => {
    const html = { 'content-type': 'text/html' };
    const challenge = 'RingdownOAuth href="https://h/uc/token",grant_type="password", Bearer realm="uc"';
    expect(() => contract.check('readUser', answer(401, html, ''))).toThrow('without the header WWW-Authenticate');
    expect(() => contract.check('readUser', answer(401, { ...html, 'www-authenticate': 'RingdownOAuth' }, ''))).toThrow(
      'header WWW-Authenticate',
    );
    expect(() => contract.check('readUser', answer(401, { ...html, 'www-authenticate': challenge }, ''))).not.toThrow();
  });

  const xmlType = { 'content-type': 'text/xml' };
  const checkRecord = (xml: string) => (): void => contract.check('postRecord', answer(200, xmlType, xml));

  it.each<[string, RegExp]>([
    ['<Answer><Count>1</Count></Answer>', /the root element is Answer, not Response/],
    ['<Response/>', /'Count'/],
    ['<Response><Count>one</Count></Response>', /Count must be integer/],
    ['<Response><Count>1</Count><More/></Response>', /additional properties .*"\?More"/],
    ['<Response x="1"><Count>1</Count></Response>', /additional properties .*"\?x"/],
    ['<Response><Count>1</Response>', /not well-formed/],
    ['', /not well-formed|no root/],
  ])('rejects the XML %s', (xml, message) => {
    expect(checkRecord('<Response><Count>1</Count></Response>')).not.toThrow();
    expect(checkRecord(xml)).toThrow(message);
  });

  it('reads resources in XML at any depth', () => {
    const resource = (inside: string): Answer =>
      answer(
        200,
        { 'content-type': 'application/xml' },
        `<resource rel="search" href="/a" xmlns="urn:ringdown:uc:v1"><property name="more">False</property>${inside}</resource>`,
      );
    const contact = '<resource rel="contact" href="/b"><propertyList name="m"><item>x</item></propertyList></resource>';
    expect(() => contract.check('searchPeople', resource(contact + contact))).not.toThrow();
    expect(() => contract.check('searchPeople', resource('<resource rel="contact"/>'))).toThrow("'href'");
    expect(() => contract.check('searchPeople', resource('<property>x</property>'))).toThrow("'name'");
  });

  it('knows the names of another profile', () => {
    const other = new Contract(profileNames('ms'));
    const { ringdown_rtc_identityscope: scope, ...rest } = token;
    const body = { ...rest, ms_rtc_identityscope: scope };
    expect(() => other.check('requestToken', answer(200, JSON_TYPE, body))).not.toThrow();
    expect(() => other.check('requestToken', answer(200, JSON_TYPE, token))).toThrow('ms_rtc_identityscope');
  });

  it('distinguishes the error formats of the interfaces', () => {
    const reason = answer(404, JSON_TYPE, { code: 'NotFound', message: 'Nothing.' });
    expect(() => contract.checkError('web', reason)).not.toThrow();
    expect(() => contract.checkError('token', reason)).toThrow("'error'");
    expect(() => contract.checkError('api', reason)).toThrow('is application/json');
    expect(() => contract.checkError('web', answer(404, JSON_TYPE, { code: 'Gone away', message: '' }))).toThrow(
      'code',
    );
  });
});

describe('the black-box suite without a system', () => {
  it('reports which settings are missing', () => {
    expect(() => systemUnderTest({})).toThrow(/RINGDOWN_WEB_URL is not set .* This suite tests a system that runs/);
  });
});
