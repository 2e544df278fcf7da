import { urlPath } from './profile-paths.js';

/** The methods of each path, to distinguish a wrong method (405 with `Allow`) from a wrong path (404). */
export class AllowedMethods {
  private readonly routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  add(url: string, methods: readonly string[]): void {
    const source = url
      .split('/')
      .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment === '*' ? '.*' : RegExp.escape(segment)))
      .join('/');
    this.routes.push({ pattern: new RegExp(`^${source}/?$`, 'i'), methods });
  }

  of(url: string): readonly string[] {
    const path = urlPath(url);
    const matching = this.routes.filter((route) => route.pattern.test(path));
    return [...new Set(matching.flatMap((route) => route.methods))].toSorted();
  }
}
