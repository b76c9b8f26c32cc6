import { expect, test } from 'vitest';
import { Following } from './following.ts';

const scrollerAt = (scrollTop: number, scrollHeight = 1_000) =>
  ({ scrollTop, scrollHeight, clientHeight: 100 }) as HTMLElement;

function following(isOn: boolean) {
  const scroller = scrollerAt(900);
  const subject = new Following(scroller, isOn);
  subject.look();
  return {
    subject,
    goTo: (scrollTop: number, scrollHeight = scroller.scrollHeight) => {
      Object.assign(scroller, { scrollTop, scrollHeight });
      subject.look();
      return subject.isOn;
    },
  };
}

test('scrolling up stops following, and reaching the end starts it again', () => {
  const { goTo } = following(true);
  expect(goTo(880)).toBe(false);
  expect(goTo(890)).toBe(false);
  expect(goTo(899)).toBe(true);
});

test('scrolling up by less than counts as the end does not start it again', () => {
  const { subject, goTo } = following(true);
  subject.isOn = false;
  expect(goTo(899)).toBe(false);
  expect(goTo(899, 1_200)).toBe(false);
});

test('content that becomes so short that the end is reached starts it', () => {
  const { goTo } = following(true);
  goTo(700);
  expect(goTo(600, 700)).toBe(true);
});

test('new content at the end does not stop it', () => {
  const { goTo } = following(true);
  expect(goTo(900, 1_500)).toBe(true);
});

test('content that becomes shorter does not stop it, even though the position moves up', () => {
  const { goTo } = following(true);
  expect(goTo(900, 1_200)).toBe(true);
  expect(goTo(700, 1_100)).toBe(true);
});

test('a position that moves with content that changes its height does not stop it', () => {
  const { goTo } = following(true);
  expect(goTo(800, 1_400)).toBe(true);
});

test('scrolling down towards the end does not start it before the end', () => {
  const { goTo } = following(true);
  goTo(100);
  expect(goTo(500)).toBe(false);
  expect(goTo(897)).toBe(false);
  expect(goTo(898)).toBe(true);
});
