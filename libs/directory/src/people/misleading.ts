/**
 * Controls, line ends, characters that change the direction of the text around a name, and those without a width or a form: two
 * names that look alike are then different ones.
 */
const MISLEADING =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\uFFF9-\uFFFB\u2800]|(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/**
 * Marks that choose the form of a character, after those of a kind that has several forms: emoji, also of keys, Han (UTS 37,
 * StandardizedVariants.txt) and Mongolian. An approximation: not each character of a kind has each form.
 */
const FORMS =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3)|(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]/gu;

/** Whether a text has characters with which a name looks like another one. */
export function isMisleading(text: string): boolean {
  return MISLEADING.test(text) || /\p{Variation_Selector}/u.test(text.replaceAll(FORMS, ''));
}
