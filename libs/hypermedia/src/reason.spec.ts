import { InterfaceError } from '@ringdown/web-server/errors';
import { defaultProfile } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { reasons, reasonStyle } from './index.js';

const style = reasonStyle('/', defaultProfile.web);
const error = new InterfaceError(reasons.parameterValidationFailure, {
  message: 'limit must be a whole number from 1 to 100',
  parameters: [{ name: 'limit', reason: 'must be 1 to 100' }],
});

function rendered(accept: string | undefined, what: InterfaceError = error): { contentType: string; body: string } {
  return style.render(what, { headers: { accept } } as FastifyRequest);
}

describe('an error body', () => {
  it('is JSON unless the client prefers XML', () => {
    for (const accept of [undefined, '*/*', 'text/html']) {
      expect(rendered(accept)).toEqual({
        contentType: 'application/json',
        body:
          '{"code":"BadRequest","subcode":"ParameterValidationFailure","message":"limit must be a whole number from 1 to 100",' +
          '"parameters":[{"name":"limit","reason":"must be 1 to 100"}]}',
      });
    }
  });

  it('is XML with child elements where XML is accepted', () => {
    expect(rendered('application/vnd.ringdown.uc+xml')).toEqual({
      contentType: 'application/vnd.ringdown.uc+xml; charset=utf-8',
      body:
        '<?xml version="1.0" encoding="utf-8"?><reason xmlns="urn:ringdown:uc:v1"><code>BadRequest</code>' +
        '<subcode>ParameterValidationFailure</subcode><message>limit must be a whole number from 1 to 100</message>' +
        '<parameters><parameter><name>limit</name><reason>must be 1 to 100</reason></parameter></parameters></reason>',
    });
  });

  it('omits missing parts', () => {
    expect(rendered(undefined, new InterfaceError(reasons.personNotFound)).body).toBe(
      '{"code":"NotFound","message":"No person has this address."}',
    );
  });

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['image/png', 'application/json'],
    ['text/html;q=0', 'application/json'],
    ['text/html', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
  ])('is for a missing token with Accept: %s as %s', (accept, expected) => {
    const { contentType, body } = rendered(accept, new InterfaceError(style.faults.unauthorized));
    expect(contentType).toBe(expected);
    expect(body).toContain('Unauthorized');
    expect(body.includes('<h1>401 Unauthorized</h1>')).toBe(expected.startsWith('text/html'));
  });
});
