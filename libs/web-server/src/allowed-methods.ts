import { pathOf } from './profile-paths.js';

/** Which methods a path knows, so that a wrong one is told apart from a wrong path (405 with `Allow`, not 404). */
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
    const path = pathOf(url);
    const matching = this.routes.filter((route) => route.pattern.test(path));
    return [...new Set(matching.flatMap((route) => route.methods))].toSorted();
  }
}
