// The error of a file that cannot be shown; its message is for the reader of the page.
import { t } from "../../texts/texts.js";

export class Refused extends Error {}

export const MOST_JOINTS = 1000;
export const FARTHEST = 1e100; // units: products of three coordinates are finite
/** A name from a file, short enough for a message. @param {unknown} text */
export const quoted = (text) => {
  const plain = String(text).replace(/\s+/g, " ");
  return t`“${plain.length > 60 ? `${plain.slice(0, 59)}…` : plain}”`;
};
