import { defaultProfile, msProfile } from '@ringdown/vendor-profile';
import { XMLParser } from 'fast-xml-parser';
import {
  acceptedType,
  LinkBuilder,
  queryString,
  represent,
  resourceJson,
  resourceXml,
  type Resource,
} from './index.js';

const web = defaultProfile.web;
const links = new LinkBuilder({ web, publicOrigin: 'https://uc.example.test' });
const contact: Resource = {
  rel: 'contact',
  href: links.application('1', 'people', 'ann@example.test'),
  links: [{ rel: 'contactPresence', href: '/presence' }],
  properties: { uri: 'sip:ann@example.test', name: 'Ann', title: undefined, emailAddresses: ['ann@example.test'] },
};
const search: Resource = {
  rel: 'search',
  href: links.application('1', 'people', 'search') + queryString({ query: 'em', limit: 20 }),
  properties: { moreResultsAvailable: false },
  embedded: [{ rel: 'contact', many: true, resources: [contact] }],
};

describe('a resource as JSON', () => {
  it('shows properties, links, embedded resources and its rel, in this order', () => {
    expect(resourceJson(search)).toBe(
      '{"moreResultsAvailable":false,' +
        '"_links":{"self":{"href":"/uc/v1/applications/1/people/search?query=em&limit=20"}},' +
        '"_embedded":{"contact":[{"uri":"sip:ann@example.test","name":"Ann","emailAddresses":["ann@example.test"],' +
        '"_links":{"self":{"href":"/uc/v1/applications/1/people/ann@example.test"},' +
        '"contactPresence":{"href":"/presence"}},"rel":"contact"}]},"rel":"search"}',
    );
  });

  it('shows a relation that can repeat as a list, even with one or no item', () => {
    const resource: Resource = {
      rel: 'myContacts',
      href: '/c',
      links: [
        { rel: 'contact', href: '/a', many: true },
        { rel: 'search', href: '/s', title: 'All', revision: '2' },
      ],
      embedded: [{ rel: 'contact', many: true, resources: [] }],
    };
    expect(JSON.parse(resourceJson(resource))).toEqual({
      _links: { self: { href: '/c' }, contact: [{ href: '/a' }], search: { href: '/s', title: 'All', revision: '2' } },
      _embedded: { contact: [] },
      rel: 'myContacts',
    });
  });

  it('formats times differently in JSON and XML', () => {
    const resource: Resource = { rel: 'x', href: '/x', properties: { at: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)) } };
    expect(JSON.parse(resourceJson(resource))).toMatchObject({ at: '/Date(1767323045006)/' });
    expect(resourceXml(resource, 'urn:x')).toContain('<property name="at">2026-01-02T03:04:05.006Z</property>');
    const kept: Resource = { ...resource, properties: { at: { time: Date.UTC(2026, 0, 2, 3, 4, 5, 6) } } };
    expect([resourceJson(kept), resourceXml(kept, 'urn:x')]).toEqual([
      resourceJson(resource),
      resourceXml(resource, 'urn:x'),
    ]);
  });

  it('has its entity tag at the end', () => {
    const resource: Resource = { rel: 'application', href: '/a', properties: { id: '1' }, etag: '7' };
    expect(resourceJson(resource)).toBe('{"id":"1","_links":{"self":{"href":"/a"}},"rel":"application","etag":"7"}');
    expect(resourceXml(resource, 'urn:x')).toContain('</property><property name="etag">7</property></resource>');
  });

  it('omits rel and embedded if there are none', () => {
    expect(resourceJson({ rel: 'root', href: '/', withoutRel: true })).toBe('{"_links":{"self":{"href":"/"}}}');
  });
});

describe('a resource as XML', () => {
  it('has the form of the search result in the specification', () => {
    expect(resourceXml(search, web.xmlNamespace)).toBe(
      '<?xml version="1.0" encoding="utf-8"?>' +
        '<resource rel="search" href="/uc/v1/applications/1/people/search?query=em&amp;limit=20" xmlns="urn:ringdown:uc:v1">' +
        '<property name="moreResultsAvailable">False</property>' +
        '<resource rel="contact" href="/uc/v1/applications/1/people/ann@example.test">' +
        '<link rel="contactPresence" href="/presence"/>' +
        '<property name="uri">sip:ann@example.test</property><property name="name">Ann</property>' +
        '<propertyList name="emailAddresses"><item>ann@example.test</item></propertyList>' +
        '</resource></resource>',
    );
  });

  it('contains the relation of an embedded resource as its rel', () => {
    const from: Resource = { rel: 'participant', href: '/p' };
    const invitation: Resource = {
      rel: 'messagingInvitation',
      href: '/i',
      embedded: [{ rel: 'from', many: false, resource: from }],
    };
    expect(resourceXml(invitation, 'urn:x')).toContain('<resource rel="from" href="/p"/></resource>');
    expect(resourceXml(from, 'urn:x')).toContain('<resource rel="participant" href="/p" xmlns="urn:x"/>');
  });

  it('can contain any name of a person', () => {
    const name = ' <b>&"\'</b> ]]> --> \u0000\u0007\ud800 \u{1f600} Zo\u00eb ';
    const xml = resourceXml({ rel: 'contact', href: `/${name}`, properties: { name } }, web.xmlNamespace);
    expect(xml).not.toContain('<b>');
    expect(xml).not.toContain(']]>');
    const parser = new XMLParser({ ignoreAttributes: false, trimValues: false });
    const shown = ' <b>&"\'</b> ]]> -->  \u{1f600} Zo\u00eb ';
    expect(parser.parse(xml).resource).toMatchObject({ '@_href': `/${shown}`, property: { '#text': shown } });
  });
});

describe('a representation', () => {
  it('has its media type, for XML with a charset', () => {
    const vendorXml = acceptedType('application/vnd.ringdown.uc+xml', web);
    expect(represent(search, vendorXml, web).contentType).toBe('application/vnd.ringdown.uc+xml; charset=utf-8');
    expect(represent(search, acceptedType('text/xml', web), web).contentType).toBe('text/xml; charset=utf-8');
    expect(represent(search, acceptedType(undefined, web), web).contentType).toBe('application/json');
  });

  it('is rejected when the client accepts none of the media types', () => {
    expect(() => acceptedType('text/html', web)).toThrow(
      'Supported media types: application/json, application/vnd.ringdown.uc+json, application/xml, application/vnd.ringdown.uc+xml, text/xml.',
    );
  });
});

describe('links', () => {
  it('are absolute before the applications only if the profile demands it', () => {
    const ms = new LinkBuilder({ web: msProfile.web, publicOrigin: 'https://uc.example.test' });
    expect([links.user, links.ownUser, links.applicationsOfUser, links.signOutOfUser]).toEqual([
      'https://uc.example.test/uc/discovery/user',
      '/uc/discovery/user',
      '/uc/v1/applications',
      '/uc/token/revoke',
    ]);
    expect([ms.user, ms.ownUser, ms.applicationsOfUser, ms.signOutOfUser]).toEqual([
      'https://uc.example.test/Autodiscover/AutodiscoverService.svc/root/oauth/user',
      'https://uc.example.test/Autodiscover/AutodiscoverService.svc/root/oauth/user',
      'https://uc.example.test/ucwa/oauth/v1/applications',
      'https://uc.example.test/WebTicket/oauthtoken/revoke',
    ]);
    expect(ms.application('7')).toBe('/ucwa/oauth/v1/applications/7');
  });

  it('escape the texts that they contain', () => {
    expect(links.application('7', 'people', 'a/b?c@x.test')).toBe('/uc/v1/applications/7/people/a%2Fb%3Fc@x.test');
    expect(queryString({ query: 'a&b =\u00e9', limit: undefined })).toBe('?query=a%26b%20%3D%C3%A9');
  });
});
