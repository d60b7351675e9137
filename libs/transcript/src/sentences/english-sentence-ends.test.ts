import { describe, expect, it } from 'vitest';
import { computeSentencePauseFactor } from './english-sentence-ends.js';

/** `|` stands where a sentence might end. */
const needed = (line: string) => {
  const words = line.split(' ').filter((word) => word !== '|');
  return computeSentencePauseFactor(words, 0, line.split(' ').indexOf('|'));
};

describe('computeSentencePauseFactor', () => {
  it.each([
    'it came in the mail yesterday | my neighbor has had one',
    'when i was a child we had a dog | it was brown',
    'that is how it was made | some of it is old',
  ])('is lower when the words so far are a complete sentence: %s', (line) => {
    expect(needed(line)).toBeLessThan(1);
  });

  it.each([
    'we live in the old part of town | the river is near',
    'i came home with a bag of bread | nobody wanted that',
  ])('is still lower before a subject: %s', (line) => {
    expect(needed(line)).toBeLessThan(0.5);
  });

  it.each([
    'i have a question | does that include the money',
    'how fast the wind is blowing | where do you want to put it',
    'that is very kind of you | and how does the computer know',
    'we did a good job | thank you for the help',
    'i went there | yes it was fine',
    'that sounds good | how much are they asking',
    'let me see what we can do | do you have the number',
    'good morning | is that the new one',
    'thank you | it is my shoulder',
  ])('is low before a sentence opening: %s', (line) => {
    expect(needed(line)).toBeLessThan(0.3);
  });

  it.each([
    'we should look at the | river',
    'the old bed of the long | river is there',
    'when i was a child | my uncle used to work there',
    'good morning | everyone',
    'in the summer | we can show the students',
    'i think | he is right',
    'i told them that | we would come',
    'they know what the water can do | we used to take a boat',
    'in the morning we saw | the men who were there',
  ])('is not lower elsewhere: %s', (line) => {
    expect(needed(line)).toBeGreaterThanOrEqual(1);
  });

  it.each([
    'we should look | at the river',
    'there is one | which is old',
    'i said it could | be true',
    'they asked me | why i wanted to leave',
    'it is not | very far',
    'it | is behind the door',
    'she never | told anyone',
    'the doctor told | him to wait',
    'please put a bowl | under it',
    'so what | are we making',
    'by the way | do you still have it',
    'and honestly | it was not far',
    'if the train is late | what are we going to do',
    "she will hate that | won't she",
  ])('is higher when the words belong together: %s', (line) => {
    expect(needed(line)).toBeGreaterThan(2);
  });

  it('allows a short answer to end on its verb', () => {
    expect(needed('i did | there is one space')).toBeLessThan(1);
    expect(needed('i have been told that i did | there is one space')).toBeGreaterThan(1);
  });
});
