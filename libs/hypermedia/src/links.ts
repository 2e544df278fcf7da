import type { WebNames, WebPaths } from '@ringdown/vendor-profile';

export interface LinkBuilderOptions {
  readonly web: WebNames;
  /** Scheme, host and port that clients use. Never taken from a request: its `Host` is the client's to choose. */
  readonly publicOrigin: string;
}

/** Makes the links of the interface from the public paths of the vendor profile. */
export class LinkBuilder {
  constructor(private readonly options: LinkBuilderOptions) {}

  /** The discovery document's links are absolute under every profile: they lead away from the host that was guessed. */
  get discovery(): string {
    return this.absolute(this.first('discovery'));
  }

  get user(): string {
    return this.absolute(this.first('user'));
  }

  /** The page through which pages of other origins make their requests. */
  get crossFrame(): string {
    return this.absolute(this.first('crossFrame'));
  }

  /** The user URL of native clients, who then send their token in the web-ticket header. */
  get nativeUser(): string {
    return this.absolute(this.last('user'));
  }

  get nativeApplications(): string {
    return this.absolute(`${this.last('api')}/applications`);
  }

  /** The user URL as the user resource itself shows it. */
  get ownUser(): string {
    return this.userLink(this.first('user'));
  }

  get applicationsOfUser(): string {
    return this.userLink(this.applications);
  }

  get crossFrameOfUser(): string {
    return this.userLink(this.first('crossFrame'));
  }

  /** Where a token is given back. */
  get signOutOfUser(): string {
    return this.userLink(this.first('signOut'));
  }

  get applications(): string {
    return `${this.first('api')}/applications`;
  }

  /** A path inside an application, always relative: `application(id, 'people', 'search')`. */
  application(id: string, ...segments: readonly string[]): string {
    let path = `${this.applications}/${pathSegment(id)}`;
    for (const segment of segments) path += `/${pathSegment(segment)}`;
    return path;
  }

  private userLink(path: string): string {
    return this.options.web.absoluteUserLinks ? this.absolute(path) : path;
  }

  private absolute(path: string): string {
    return this.options.publicOrigin + path;
  }

  private first(kind: keyof WebPaths): string {
    return this.path(kind, 0);
  }

  private last(kind: keyof WebPaths): string {
    return this.path(kind, -1);
  }

  private path(kind: keyof WebPaths, index: number): string {
    const path = this.options.web.paths[kind].at(index);
    if (path === undefined) throw new Error(`the vendor profile has no path for ${kind}`);
    return path;
  }
}

/** Nothing but what a link may hold as it stands. */
const PLAIN = /^[\w.~!*'()@-]*$/;

/** A text as one part of a path. Addresses keep their `@`: clients take them out of links as they stand (web-interface.md, section 5). */
export function pathSegment(text: string): string {
  // Nearly all are: the links of the people that one search finds hold hundreds of them.
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');
}

/** `?a=1&b=2` of what is not undefined, in the given order; nothing at all when everything is. */
export function queryString(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
