import { expect, it } from 'vitest';
import { fromEspeak, fromFlite } from './phones.js';

it.each([
  ["k_j_'u:_b_3_n_,i:_t_s", 'K Y UW B ER N IY T S'],
  ["m_@_k d_'0_n_@L_d", 'M AH K D AA N AH L D'],
  ["p_r_oU_m_'i:_T_I2_;_@_s", 'P R OW M IY TH IH AH S'],
  ["S_I2_v_'O:_n", 'SH IH V AO N'],
])('takes %s from espeak-ng', (line, sounds) => {
  expect(fromEspeak(line)).toBe(sounds);
});

it('takes the sounds of flite, without its pauses', () => {
  expect(fromFlite('pau k ax b er n iy t s pau ')).toBe('K AH B ER N IY T S');
});

it('gives nothing rather than a sound that the model does not know', () => {
  expect(fromEspeak("x_'Y_n")).toBeNull();
  expect(fromFlite('pau k qq pau')).toBeNull();
  expect(fromEspeak('')).toBeNull();
  expect(fromFlite('pau pau')).toBeNull();
});
