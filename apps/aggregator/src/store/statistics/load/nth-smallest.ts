/** The number that would be at the index if all were sorted; changes their order. Sorting a hundred thousand takes ten times as long. */
export function nthSmallest(numbers: Float64Array, index: number): number | undefined {
  let [first, last] = [0, numbers.length - 1];
  while (first < last) {
    const middle = numbers[(first + last) >> 1] ?? 0;
    let [left, right] = [first, last];
    while (left <= right) {
      while ((numbers[left] ?? 0) < middle) left++;
      while ((numbers[right] ?? 0) > middle) right--;
      if (left > right) break;
      const exchanged = numbers[left] ?? 0;
      numbers[left++] = numbers[right] ?? 0;
      numbers[right--] = exchanged;
    }
    if (index <= right) last = right;
    else if (index >= left) first = left;
    else break;
  }
  return numbers[index];
}
