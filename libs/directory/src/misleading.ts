/**
 * Controls, line ends, characters that change the direction of the text around a name, and those without a width or a form: two
 * names that look alike are then different ones. Marks that choose the form of a character are allowed after those that
 * have several forms (Unicode, `StandardizedVariants.txt` and `emoji-variation-sequences.txt`; UTS 37).
 */
const MISLEADING =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFFF9-\uFFFB\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Script=Han}\p{Script=Mongolian}])(?!\uFE0F\u20E3)\p{Variation_Selector}/u;

/** Whether a text has characters with which a name looks like another one. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text);
}
