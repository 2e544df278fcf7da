import type { ComponentType } from 'react';

/** The files of a view, loaded once when the view is first opened. */
export class ViewFiles {
  private found: ComponentType | undefined;
  private coming: Promise<ComponentType> | undefined;

  constructor(private readonly fetch: () => Promise<ComponentType>) {}

  /** Undefined until they are loaded. */
  get component(): ComponentType | undefined {
    return this.found;
  }

  /** Rejects when they cannot be loaded; may be called again then. */
  load(): Promise<ComponentType> {
    this.coming ??= this.loaded();
    return this.coming;
  }

  private async loaded(): Promise<ComponentType> {
    try {
      this.found = await this.fetch();
      return this.found;
    } catch (error) {
      this.coming = undefined;
      throw error;
    }
  }
}
