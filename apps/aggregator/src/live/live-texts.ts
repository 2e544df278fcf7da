import type { IdentityHiding } from '@ringdown/identity-hiding';

/** JSON of what readers get, made once for all of them who see as much of it. */
export class LiveTexts {
  private readonly shown = new WeakMap<object, string>();
  private readonly hidden = new WeakMap<object, string>();

  constructor(private readonly hiding: IdentityHiding) {}

  /** `data`: plain data that nobody changes any more. */
  of(data: object, isShown: boolean): string {
    const texts = isShown ? this.shown : this.hidden;
    const known = texts.get(data);
    if (known !== undefined) return known;
    const text = JSON.stringify(isShown ? data : this.hiding.data(data));
    texts.set(data, text);
    return text;
  }
}
