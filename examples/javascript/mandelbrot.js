// The Mandelbrot set in letters, then 30 factorial from an array of digits: closures, arrays, strings and numbers of JavaScript.
var width = 64, height = 24, most = 60;
var shades = " .:-=+*#%@";

function escape(re, im) {
	var x = 0, y = 0;
	for (var n = 0; n < most; ++n) {
		var xx = x * x, yy = y * y;
		if (xx + yy > 4) return n;
		y = 2 * x * y + im;
		x = xx - yy + re;
	}
	return most;
}

for (var row = 0; row < height; ++row) {
	var line = [];
	for (var column = 0; column < width; ++column) {
		var n = escape(-2.1 + 2.9 * column / width, -1.2 + 2.4 * row / (height - 1));
		line.push(n === most ? "@" : shades.charAt(Math.min(8, Math.floor(Math.log(n + 1) * 2.2))));
	}
	print(line.join(""));
}

function factorial(n) {
	var digits = [1];
	for (var i = 2; i <= n; ++i) {
		var carry = 0;
		digits = digits.map(function (digit) {
			var product = digit * i + carry;
			carry = Math.floor(product / 10);
			return product % 10;
		});
		for (; carry; carry = Math.floor(carry / 10)) digits.push(carry % 10);
	}
	return digits.reverse().join("");
}
print("30! = " + factorial(30));
