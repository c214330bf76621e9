import { expect, test } from "vitest";
import { clockOf, percentOf, placeOf, rateOf } from "./figures";

test("durations have no unit and always two digits of seconds", () => {
  const times = [-5, 0, 7_900, 59_999, 96_000, 3_730_000];
  expect(times.map(clockOf)).toEqual(["0:00", "0:00", "0:07", "0:59", "1:36", "1:02:10"]);
});

test("rates have a tenth up to a hundred", () => {
  expect([31.44, 99.94, 1_234.5].map(rateOf)).toEqual(["31.4 tok/s", "99.9 tok/s", "1,235 tok/s"]);
});

test("a share is never more than all, and nothing of nothing is none", () => {
  expect([percentOf(42, 100), percentOf(9, 4), percentOf(1, 0)]).toEqual([42, 100, 0]);
});

test("places in the queue are written as people say them", () => {
  const places = [1, 2, 3, 4, 11, 12, 13, 21, 22, 111];
  const said = ["next", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "111th"];
  expect(places.map(placeOf)).toEqual(said);
});
