import type { WebNames, WebPaths } from '@ringdown/vendor-profile';

export interface LinkBuilderOptions {
  readonly web: WebNames;
  /**
   * Scheme, host and port that clients use. Never taken from a request, because the client can set its `Host` to any
   * text.
   */
  readonly publicOrigin: string;
}

/** Creates the links of the interface from the public paths of the vendor profile. */
export class LinkBuilder {
  constructor(private readonly options: LinkBuilderOptions) {}

  /** The links of the discovery document are absolute in every profile: clients found its host only by guessing. */
  get discovery(): string {
    return this.absolute(this.first('discovery'));
  }

  get user(): string {
    return this.absolute(this.first('user'));
  }

  /** The page through which pages of other origins send their requests. */
  get crossFrame(): string {
    return this.absolute(this.first('crossFrame'));
  }

  /** The page where guests of a meeting write to its organizer; absolute, because people send it to each other. */
  meetingPage(origin: string, organizer: string, meetingId: string): string {
    return `${origin}/meet/${pathSegment(organizer.replace(/^sip:/, ''))}/${pathSegment(meetingId)}`;
  }

  /** The user URL of native clients, which then send their token in the web-ticket header. */
  get nativeUser(): string {
    return this.absolute(this.last('user'));
  }

  get nativeApplications(): string {
    return this.absolute(`${this.last('api')}/applications`);
  }

  /** The user URL in the user resource itself. */
  get ownUser(): string {
    return this.userLink(this.first('user'));
  }

  get applicationsOfUser(): string {
    return this.userLink(this.applications);
  }

  get crossFrameOfUser(): string {
    return this.userLink(this.first('crossFrame'));
  }

  /** Where a token is revoked. */
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

/** The characters that a link may contain unescaped. */
const PLAIN = /^[\w.~!*'()@-]*$/;

/**
 * A text as one segment of a path. Addresses keep their `@`, because clients use segments undecoded (web-interface.md,
 * section 5).
 */
export function pathSegment(text: string): string {
  // The fast path for nearly all: one search result contains hundreds of links.
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');
}

/** `?a=1&b=2` of the defined values, in the given order; an empty text if there are none. */
export function queryString(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value).toWellFormed())}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
