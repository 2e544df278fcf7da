import { xmlDocument, type LinkBuilder, type Representation, type XmlElement } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import type { DomainHome, SipServer } from '../domain-homes.js';

/** The media type with which native and mobile clients request their form of the documents, without its parameter. */
export function nativeType(web: WebNames): string {
  return `${web.nativeDiscovery.mediaType}+xml`;
}

/** The discovery document in the form of native clients (web-interface.md, section 1). */
export function nativeRoot(links: LinkBuilder, web: WebNames, { redirect }: DomainHome): Representation {
  const next = redirect === undefined ? link('User', links.nativeUser) : link('Redirect', redirect);
  return document(web, 'Root', [next, link('Self', links.discovery), link('XFrame', links.crossFrame)]);
}

/**
 * The user resource in the form of native clients. SIP servers are included only if they are configured for the domain.
 */
export function nativeUser(links: LinkBuilder, web: WebNames, home: DomainHome): Representation {
  const { applicationsToken } = web.nativeDiscovery;
  const applications = [applicationsToken, `External/${applicationsToken}`, `Internal/${applicationsToken}`];
  return document(web, 'User', [
    ...sipAccess('SipClientInternalAccess', home.sipInternal),
    ...sipAccess('SipClientExternalAccess', home.sipExternal),
    ...(home.redirect === undefined
      ? applications.map((token) => link(token, links.nativeApplications))
      : [link('Redirect', home.redirect)]),
    link('XFrame', links.crossFrame),
    link('Self', links.nativeUser),
    link('Internal/Autodiscover', links.discovery),
    link('External/Autodiscover', links.discovery),
  ]);
}

function document(web: WebNames, name: string, children: readonly XmlElement[]): Representation {
  const attributes = { AccessLocation: 'External' };
  return {
    contentType: `${nativeType(web)}; v=1`,
    body: xmlDocument({ name: 'AutodiscoverResponse', attributes, children: [{ name, children }] }),
  };
}

function link(token: string, href: string): XmlElement {
  return { name: 'Link', attributes: { token, href }, children: [] };
}

function sipAccess(name: string, server: SipServer | undefined): XmlElement[] {
  if (server === undefined) return [];
  return [{ name, attributes: { fqdn: server.host, port: String(server.port) }, children: [] }];
}
