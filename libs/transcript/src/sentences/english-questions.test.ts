import { describe, expect, it } from 'vitest';
import { startsQuestion, isQuestion } from './english-questions.js';

const asks = (line: string) => isQuestion(line.split(' '));

describe('isQuestion', () => {
  it.each([
    'what is your name',
    "what's the matter",
    'where do you live',
    'how many people are coming',
    'how much does it cost',
    'what kind of music do you like',
    'why are they late',
    'who is there',
    'which of the two do you want',
    'when did the train leave',
    'and what are we going to do',
    'do you know him',
    "isn't it late",
    'is the door open',
    'can anyone hear me',
    'will they come',
    'would you help me',
    'how about tomorrow',
    'what happened',
    "you know him don't you",
    "it was the last one wasn't it",
    "you didn't know how to bake did you",
    'nobody lives there do they',
    'okay so by the way do you still have it',
    'well what would you do',
    'anyway could you help us',
    'we meet at the bridge right',
  ])('recognises a question: %s', (line) => {
    expect(asks(line)).toBe(true);
  });

  it.each([
    'when i was young i played football',
    'what we need is time',
    'what a day',
    'which is why we left',
    'how you do it does not matter',
    'why he left is a secret',
    'where there is smoke there is fire',
    'do the dishes',
    'have a seat',
    'had i known i would have come',
    'should you need anything call me',
    'may you live long',
    "don't touch that",
    'the door is open',
    'we will see',
    "i don't",
    'what',
    'you are right',
    'take the first street and turn right',
    'i do not know how to do it',
    'well what we need is time',
  ])('recognises a statement: %s', (line) => {
    expect(asks(line)).toBe(false);
  });
});

describe('startsQuestion', () => {
  it.each([
    'what do you want',
    'and how does the computer get the numbers',
    'how much are they asking',
    'does that include the money',
    'is there a light',
    'did you ask',
    'who are they',
  ])('is true at the start of a question: %s', (line) => {
    expect(startsQuestion(line.split(' '), 0)).toBe(true);
  });

  it.each([
    'who is my uncle',
    'which is old',
    'when it rains',
    'what we need',
    'is the best one',
    'and then we went',
  ])('is false where a question is not certain: %s', (line) => {
    expect(startsQuestion(line.split(' '), 0)).toBe(false);
  });
});
