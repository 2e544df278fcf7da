/**
 * Controls, line ends, characters that change the direction of the text around a name, and those without a width: two
 * names that look alike are then different ones. Marks that only choose the form of a character before them are allowed.
 */
const MISLEADING =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/** Whether a text has characters with which a name looks like another one. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}
